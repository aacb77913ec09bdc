import type { Draw } from '../access-oracle/draw.ts'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'

/** One of those who work on a server at the same time: each step is one operation, and on things of its own. */
export type Hand = (client: Client) => Promise<void>

/** What all hands share. */
export type Work = { readonly ledger: Ledger; readonly draw: Draw }
