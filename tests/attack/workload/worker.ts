import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'

/** One of those who work on a server at the same time: each step is one operation, and on things of its own. */
export type Worker = (client: Client) => Promise<void>

/** What all hands share. */
export type WorkContext = { readonly ledger: Ledger; readonly draw: Random }
