import { useEffect } from 'react'
import type { RecordBody } from '#api/records.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { DraftSaver } from './draft-saver.ts'
import type { RecordDraft, ShownValues } from './record-draft.ts'

type Stored = { readonly record: RecordBody; readonly fields: readonly string[] }

const open = new Set<string>()

export function syncStoredRecord(list: ListEdits, { fields }: TypedCollection, stored: Stored): void {
  const { record } = stored
  const written = fields.filter(({ kind }) => kind === 'rich-text').map(({ name }) => name)
  const values = Object.fromEntries(
    Object.entries(record.values).map(([name, value]) => [name, written.includes(name) ? plainTextOf(value) : value]),
  )
  list.withGridActions((gridActions) => {
    gridActions.edits.learn([{ ...record, values }])
    gridActions.list.onStoredBeside(stored.fields, !open.has(record.id))
  })
}

/**
 * Makes a change in the side panel undoable in the list. Documents can't be undone there, because lists don't contain
 * them completely.
 */
export function addToListHistory(
  list: ListEdits,
  { fields }: TypedCollection,
  { record, fields: names, before }: Stored & { readonly before: RecordBody },
): void {
  // Kept in this browser until the server is reachable.
  if (record.version === before.version) return
  const changed = fields.filter(({ name, kind }) => names.includes(name) && kind !== 'rich-text')
  const changes = changed.map(({ name }) => ({
    record: record.id,
    field: name,
    was: before.values[name],
    is: record.values[name],
  }))
  if (changes.length === 0) return
  list.withGridActions((gridActions) => {
    const versions = new Map([[record.id, before.version]])
    // Typing in one field is one step.
    gridActions.changedElsewhere(changes, versions, JSON.stringify([record.id, names]))
  })
}

/** Lists show documents as plain text. */
const plainTextOf = (value: unknown): unknown =>
  // The server stores only valid documents.
  typeof value === 'object' && value !== null ? plainText(value as RichDocument) : value

/** Shows the side panel's unsaved values in the list, except invalid or conflicting values. */
export function useMirrorDraftInList(list: ListEdits | undefined, draft: RecordDraft, saver: DraftSaver): void {
  const { id } = draft.base
  useEffect(() => {
    if (!list) return
    const values = settledEdits(draft)
    if (Object.keys(values).length > 0 || list.gridActions())
      list.withGridActions((gridActions) => gridActions.edits.draft(id, values))
  }, [list, id, draft])
  useEffect(() => {
    if (!list) return undefined
    open.add(id)
    return () => {
      open.delete(id)
      // Pending edits stay visible until they are saved or rejected.
      void saver.flush().then(() => {
        if (open.has(id)) return
        list.gridActions()?.edits.draft(id, {})
        // If no panel is open, focus has returned to the row, so the user hasn't left the list.
        if (open.size > 0) list.gridActions()?.list.leave()
      })
    }
  }, [list, id, saver])
}

function settledEdits({ edits, errors, conflicts }: RecordDraft): ShownValues {
  return Object.fromEntries(
    Object.entries(edits).filter(([name]) => !Object.hasOwn(errors, name) && !Object.hasOwn(conflicts, name)),
  )
}
