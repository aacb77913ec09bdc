import { afterAll, beforeAll, describe } from 'vitest'
import { IS_DAILY, perTier } from '#tests/support/test-tier.ts'
import { describeAgreement } from './agreement.ts'
import { type Executor, inDatabase } from './executors.ts'
import { describeExpectations } from './expectations.ts'
import { smallDataset } from './data/small-dataset.ts'
import { stock } from './data/generated-values.ts'

let onShelf: Executor
let onStock: Executor
let onIndexes: Executor

beforeAll(async () => {
  onShelf = await inDatabase('postgres', smallDataset)
  onStock = await inDatabase('postgres', stock)
  onIndexes = await inDatabase('postgres', stock, { isIndexed: true })
})
afterAll(() => Promise.all([onShelf.close(), onStock.close(), onIndexes.close()]))

describe('PostgreSQL returns the expected result:', () => describeExpectations(() => onShelf))
// In the daily tier, `random-queries.test.ts` compares the databases.
if (!IS_DAILY) {
  describe('PostgreSQL and in-memory queries agree:', () => describeAgreement(() => onStock, perTier(5)))
  describe('PostgreSQL with indexed sort orders and in-memory queries agree:', () =>
    describeAgreement(() => onIndexes, perTier(2)))
}
