// Entry point `tollgate/testing`: tests of tiers, rules and prices, in memory, with a clock that
// the test controls.
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
