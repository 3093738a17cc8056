#!/usr/bin/env python3
"""Hikae's one program beside Claude Code: takes a hook event on stdin, prints the hook's answer, always exits 0.

    hook.py event | flush | status | recall TEXT | import | headers

Standard library only, Python 3.9 or newer, Linux, macOS and Windows. What it does and keeps: docs/claude-code.md.
"""

import os
import sys

if __name__ == "__main__":
    if sys.version_info < (3, 9):  # an old Python must not get in the agent's way
        sys.exit(0)
    # Started with -I, which keeps the folder of the program, like everything else around it, off the path.
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    try:
        from hikae_hook.main import main
    except Exception as error:  # half an update, a lost file: no reason to get in the agent's way either
        said = "Hikae's plugin is damaged; please install it again ({}).".format(type(error).__name__)
        if sys.argv[1:2] != ["event"]:
            sys.exit(said)
        if b'"SessionStart"' in os.read(0, 65_536):
            print('{"systemMessage": "' + said + '"}')
        sys.exit(0)

    main(sys.argv[1:])
