// Runs under CI and of `npm test` draw the same values, so that what fails is due to the change. Full runs draw new ones; a failure prints its seed.
import fc from "fast-check";

if (process.env.CI || !process.env.GROUPWISE_FULL)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
