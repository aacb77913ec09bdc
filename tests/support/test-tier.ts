/**
 * `npm test` runs the daily tier: what shows within ten minutes that the product works. `npm run test:full` runs
 * everything. Without a tier, as with `npx vitest`, every test can run.
 */
export const IS_DAILY = process.env['TEST_TIER'] === 'daily'

/** A number of runs or rounds: a third of it in the daily tier. */
export const perTier = (count: number): number => (IS_DAILY ? Math.ceil(count / 3) : count)
