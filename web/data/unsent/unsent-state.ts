import type { RecordBody } from '#api/records.ts'
import { readStored, removeStored, setStored, UNSENT_FLAG } from '#web/data/storage/browser-storage.ts'
import { createStore } from '#web/ui/store.ts'

export type SendFailure = { readonly title: string; readonly detail: string }

/**
 * A record created offline, stored in this browser until it is sent. Its ID is temporary and valid only in this
 * browser.
 */
export type UnsentRecord = {
  readonly userId: string
  readonly collection: string
  /** The record as displayed until it is sent. */
  readonly body: RecordBody
  /** The values in the API's format. */
  readonly values: { readonly [field: string]: unknown }
  /** The values of the first attempt; the server may have stored them although no response arrived. */
  readonly tried: { readonly [field: string]: unknown } | null
  /** Why the server rejected the record; it is sent again once it is changed. */
  readonly failure: SendFailure | null
}

export type UnsentState = {
  readonly records: readonly UnsentRecord[]
  readonly isSending: boolean
  /** Server IDs of records that have been sent, by their temporary ID. */
  readonly sentAs: ReadonlyMap<string, string>
}

/** Kept small, because every page loads it; `unsent-records.ts` is loaded with the first unsent record. */
export const unsentState = createStore<UnsentState>({ records: [], isSending: false, sentAs: new Map() })

export const findUnsent = (id: string): UnsentRecord | undefined =>
  unsentState.get().records.find(({ body }) => body.id === id)

export const loadUnsent = async () => (await import('./unsent-records.ts')).unsentRecords

export const hasUnsent = (): boolean => readStored(UNSENT_FLAG) !== null

export function setHasUnsent(hasAny: boolean): void {
  if (hasAny) setStored(UNSENT_FLAG, 'some')
  else removeStored(UNSENT_FLAG)
}
