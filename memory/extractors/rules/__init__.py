"""Rule-based extraction: grammar and discourse cues in English and Japanese, explainable and offline."""

from memory.extractors.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
