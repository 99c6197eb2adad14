//! The Laws: positions and hand events in, obligations and verdicts out. Pure and deterministic.
