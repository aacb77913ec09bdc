import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'

/** One of several concurrent workers; each step performs one operation on the worker's own objects. */
export type Worker = (client: Client) => Promise<void>

export type WorkContext = { readonly ledger: Ledger; readonly draw: Random }
