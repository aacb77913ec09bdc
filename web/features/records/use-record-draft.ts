import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { createDraftSaver, type DraftSaver } from './draft-saver.ts'
import { keepEdits, keptEdits } from './kept-edits.ts'
import { draftOf, type RecordDraft, resumed } from './record-draft.ts'
import { forgetLists, keepRecord, recordQuery, saveRecord } from './record-queries.ts'

/**
 * A record somebody writes in: what it shows now, and the one who stores it. What is not stored when the page is left
 * is stored then; what cannot be, waits in this tab.
 */
export function useRecordDraft(
  collection: KnownCollection,
  record: RecordBody,
): { readonly draft: RecordDraft; readonly saver: DraftSaver } {
  const queryClient = useQueryClient()
  const [saver] = useState(() => {
    const kept = keptEdits(record.id)
    const start = kept ? resumed(record, kept, collection.fields) : draftOf(record)
    return createDraftSaver(start, {
      fields: collection.fields,
      save: (base, values) => saveRecord(collection.name, base, values),
      reload: () => queryClient.fetchQuery({ ...recordQuery(collection.name, record.id), staleTime: 0 }),
      keep: (edits) => keepEdits(record.id, edits),
      onStored: (stored) => {
        keepRecord(queryClient, collection.name, stored)
        forgetLists(queryClient, collection.name)
      },
    })
  })
  const draft = useSyncExternalStore(saver.subscribe, saver.snapshot)

  useEffect(() => saver.take(record), [saver, record])
  useStoreBeforeLeaving(saver)
  return { draft, saver }
}

function useStoreBeforeLeaving(saver: DraftSaver): void {
  useEffect(() => {
    const store = () => void saver.flush()
    const ask = (event: BeforeUnloadEvent) => {
      if (!saver.hasUnsaved()) return
      store()
      event.preventDefault()
    }
    // Edits of an earlier visit are stored at once.
    if (saver.hasUnsaved()) store()
    window.addEventListener('beforeunload', ask)
    window.addEventListener('pagehide', store)
    document.addEventListener('visibilitychange', store)
    return () => {
      window.removeEventListener('beforeunload', ask)
      window.removeEventListener('pagehide', store)
      document.removeEventListener('visibilitychange', store)
      store()
    }
  }, [saver])
}
