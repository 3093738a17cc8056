"""What each hook event does, one file for each kind. Start at `integrations.services.claude_code`."""
