import type { RecordBody } from '#api/records.ts'
import { readStored, removeStored, setStored, UNSENT_FLAG } from '#web/data/storage/browser-storage.ts'
import { createStore } from '#web/ui/store.ts'

export type SendFailure = { readonly title: string; readonly detail: string }

/** A record created without the server: kept in this browser until it is sent. Its ID is of this browser alone. */
export type UnsentRecord = {
  readonly userId: string
  readonly collection: string
  /** As shown until then. */
  readonly body: RecordBody
  /** As the server takes them. */
  readonly values: { readonly [field: string]: unknown }
  /** The values of the first attempt, which may have reached the server without a response. */
  readonly tried: { readonly [field: string]: unknown } | null
  /** Why the server refused it; sent again once it changes. */
  readonly failure: SendFailure | null
}

export type UnsentState = {
  readonly records: readonly UnsentRecord[]
  readonly isSending: boolean
  /** The IDs of sent records on the server. */
  readonly sentAs: ReadonlyMap<string, string>
}

/** Small, because every page shows it; `unsent-records.ts` loads with the first such record. */
export const unsentState = createStore<UnsentState>({ records: [], isSending: false, sentAs: new Map() })

export const findUnsent = (id: string): UnsentRecord | undefined =>
  unsentState.get().records.find(({ body }) => body.id === id)

export const loadUnsent = async () => (await import('./unsent-records.ts')).unsentRecords

export const hasUnsent = (): boolean => readStored(UNSENT_FLAG) !== null

export function setHasUnsent(hasAny: boolean): void {
  if (hasAny) setStored(UNSENT_FLAG, 'some')
  else removeStored(UNSENT_FLAG)
}
