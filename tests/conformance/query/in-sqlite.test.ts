import { afterAll, beforeAll, describe } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { describeAgreement } from './agreement.ts'
import { type Executor, inDatabase } from './executors.ts'
import { describeExpectations } from './expectations.ts'
import { smallDataset } from './data/small-dataset.ts'
import { stock } from './data/generated-values.ts'

let onShelf: Executor
let onStock: Executor
let onIndexes: Executor

beforeAll(async () => {
  onShelf = await inDatabase('sqlite', smallDataset)
  onStock = await inDatabase('sqlite', stock)
  onIndexes = await inDatabase('sqlite', stock, { isIndexed: true })
})
afterAll(() => Promise.all([onShelf.close(), onStock.close(), onIndexes.close()]))

describe('SQLite returns the expected result:', () => describeExpectations(() => onShelf))
describe('SQLite and in-memory queries agree:', () => describeAgreement(() => onStock, perTier(12)))
describe('SQLite with indexed sort orders and in-memory queries agree:', () =>
  describeAgreement(() => onIndexes, perTier(4)))
