import type { RecordBody } from '#api/records.ts'
import { readStored, removeStored, setStored, UNSENT_FLAG } from '#web/data/storage/browser-storage.ts'
import { createStore } from '#web/ui/store.ts'

export type SendFailure = { readonly title: string; readonly detail: string }

/** A record created offline: stored in this browser until it is sent. Its ID is valid only in this browser. */
export type UnsentRecord = {
  readonly userId: string
  readonly collection: string
  /** The record as shown until it is sent. */
  readonly body: RecordBody
  /** The values in the format that the server accepts. */
  readonly values: { readonly [field: string]: unknown }
  /** The values of the first attempt, which may have reached the server without a response. */
  readonly tried: { readonly [field: string]: unknown } | null
  /** Why the server rejected it; sent again after it is changed. */
  readonly failure: SendFailure | null
}

export type UnsentState = {
  readonly records: readonly UnsentRecord[]
  readonly isSending: boolean
  /** Server IDs of the sent records. */
  readonly sentAs: ReadonlyMap<string, string>
}

/** Kept small, because every page uses it; `unsent-records.ts` is loaded with the first such record. */
export const unsentState = createStore<UnsentState>({ records: [], isSending: false, sentAs: new Map() })

export const findUnsent = (id: string): UnsentRecord | undefined =>
  unsentState.get().records.find(({ body }) => body.id === id)

export const loadUnsent = async () => (await import('./unsent-records.ts')).unsentRecords

export const hasUnsent = (): boolean => readStored(UNSENT_FLAG) !== null

export function setHasUnsent(hasAny: boolean): void {
  if (hasAny) setStored(UNSENT_FLAG, 'some')
  else removeStored(UNSENT_FLAG)
}
