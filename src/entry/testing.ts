// Entry point `tollgate/testing`: tiers, rules and prices under test, in memory, with a clock that moves.
export {
  createTestTollgate,
  type RunningOperation,
  type TestOutcome,
  type TestRequest,
  type TestTollgate,
  type TestTollgateOptions,
} from '../testing/create-test-tollgate.js';
export {
  type ExpectedAdmission,
  type ExpectedDenial,
  expectAdmitted,
  expectDenied,
  type TestResult,
} from '../testing/test-result.js';
