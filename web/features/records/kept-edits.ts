import { forget, keep, readKeptJson } from '#web/client/browser-storage.ts'
import type { KeptEdits } from './record-draft.ts'

const keyOf = (record: string) => `draft.${record}`

const isKept = (value: unknown): value is KeptEdits =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  'edits' in value &&
  typeof value.edits === 'object' &&
  value.edits !== null

/** Edits of a record that were not stored when its page was left, in this tab. */
export function keptEdits(record: string): KeptEdits | undefined {
  const kept = readKeptJson(keyOf(record), 'session')
  return isKept(kept) ? kept : undefined
}

/** Keeps edits through a reload until they are stored. Files on their way are not among them. */
export function keepEdits(record: string, kept: KeptEdits): void {
  if (Object.keys(kept.edits).length === 0) forget(keyOf(record), 'session')
  else keep(keyOf(record), JSON.stringify(kept), 'session')
}
