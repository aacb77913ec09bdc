import { afterAll, beforeAll, describe } from 'vitest'
import { describeAgreement } from './agreement.ts'
import { type Executor, inPostgres } from './executors.ts'

let executor: Executor

beforeAll(async () => {
  executor = await inPostgres()
})
afterAll(() => executor.close())

describe('PostgreSQL and memory mean the same:', () => describeAgreement(() => executor, 6))
