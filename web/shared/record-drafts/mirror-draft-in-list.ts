import { useEffect } from 'react'
import type { RecordBody } from '#api/records.ts'
import { plainText } from '#domain/rich-text/plain-text.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { DraftSaver } from './draft-saver.ts'
import type { RecordDraft, ShownValues } from './record-draft.ts'

type Stored = { readonly record: RecordBody; readonly fields: readonly string[] }

/** The records that are open beside a list at the moment. */
const open = new Set<string>()

/** Tells a list what was stored of a record beside it. */
export function syncStoredRecord(list: ListEdits, { fields }: TypedCollection, stored: Stored): void {
  const { record } = stored
  const written = fields.filter(({ kind }) => kind === 'rich-text').map(({ name }) => name)
  const values = Object.fromEntries(
    Object.entries(record.values).map(([name, value]) => [name, written.includes(name) ? plainTextOf(value) : value]),
  )
  list.withHands((hands) => {
    hands.edits.learn([{ ...record, values }])
    hands.list.onStoredBeside(stored.fields, !open.has(record.id))
  })
}

/** A list shows documents as their words. */
const plainTextOf = (value: unknown): unknown =>
  // The server keeps documents of its own schema only.
  typeof value === 'object' && value !== null ? plainText(value as RichDocument) : value

/** Shows what is being written in a record in the list beside it, too; what is wrong or disputed only once it is settled. */
export function useMirrorDraftInList(list: ListEdits | undefined, draft: RecordDraft, saver: DraftSaver): void {
  const { id } = draft.base
  useEffect(() => {
    if (!list) return
    const values = settledEdits(draft)
    if (Object.keys(values).length > 0 || list.hands()) list.withHands((hands) => hands.edits.draft(id, values))
  }, [list, id, draft])
  useEffect(() => {
    if (!list) return undefined
    open.add(id)
    return () => {
      open.delete(id)
      // What is on its way stays in sight until it is stored or refused.
      void saver.flush().then(() => {
        if (open.has(id)) return
        list.hands()?.edits.draft(id, {})
        // Closed, one is in its row still.
        if (open.size > 0) list.hands()?.list.leave()
      })
    }
  }, [list, id, saver])
}

function settledEdits({ edits, errors, conflicts }: RecordDraft): ShownValues {
  return Object.fromEntries(
    Object.entries(edits).filter(([name]) => !Object.hasOwn(errors, name) && !Object.hasOwn(conflicts, name)),
  )
}
