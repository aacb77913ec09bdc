import { afterAll, beforeAll, describe } from 'vitest'
import { describeAgreement } from './agreement.ts'
import { type Executor, inSqlite } from './executors.ts'

let executor: Executor

beforeAll(async () => {
  executor = await inSqlite()
})
afterAll(() => executor.close())

describe('SQLite and memory mean the same:', () => describeAgreement(() => executor, 12))
