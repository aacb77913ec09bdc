import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RecordBody } from '#api/records.ts'
import { CallError } from '#web/client/call-failed.ts'
import { sessionState } from '#web/client/session-state.ts'
import { useUser } from '#web/client/use-session.ts'
import type { TypedCollection } from '#web/fields/known-field.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'
import { syncStoredRecord, useMirrorDraftInList } from './beside/show-in-list.ts'
import type { ListEdits } from './cells/list-cells.ts'
import { createDraftSaver, type DraftSaver, type SaverDeps } from './draft-saver.ts'
import { activeSavers } from './held-savers.ts'
import { storeEdits, unsavedEdits, recoverEdits } from './kept-edits.ts'
import { draftOf, type RecordDraft, resumed } from './record-draft.ts'
import { invalidateLists, cacheRecord, recordQuery, saveRecord } from './record-queries.ts'
import type { RuleChecker } from './rule-breaches.ts'

const judging = lazyModule(() => import('./rule-judge.ts'))

/**
 * A record somebody writes in: what it shows now, and the one who stores it. What is not stored when the page is left
 * is stored then; what cannot be, waits in this browser.
 */
export function useRecordDraft(
  collection: TypedCollection,
  record: RecordBody,
  list?: ListEdits,
): { readonly draft: RecordDraft; readonly saver: DraftSaver } {
  const queryClient = useQueryClient()
  const user = useUser()
  const rules = collection.rules ?? []
  const { createRuleChecker } = useLazyModule(judging, rules.length > 0) ?? {}
  const judge = useRef<RuleChecker>(undefined)
  const [owner] = useState(() => ({ userId: user?.id ?? '', collection: collection.id, record: record.id }))
  const [needs] = useState<SaverDeps>(() => ({
    fields: collection.fields,
    rules,
    judge: () => judge.current,
    save: (base, values) => asUser(owner.userId, () => saveRecord(collection.name, base, values)),
    reload: () => queryClient.fetchQuery({ ...recordQuery(collection.name, record.id), staleTime: 0 }),
    keep: (edits, waiting) => storeEdits(owner, edits, waiting),
    onStored: (stored, values) => {
      cacheRecord(queryClient, collection.name, stored)
      if (list) syncStoredRecord(list, collection, { record: stored, fields: Object.keys(values) })
      else invalidateLists(queryClient, collection.name)
    },
  }))
  const [saver] = useState(() => {
    const kept = unsavedEdits(owner)
    const start = kept ? resumed(record, kept, collection.fields) : draftOf(record)
    return activeSavers.of(owner) ?? createDraftSaver(start, needs)
  })
  const draft = useSyncExternalStore(saver.subscribe, saver.snapshot)

  useEffect(() => {
    saver.serve(needs)
    return activeSavers.open(owner, saver)
  }, [saver, needs, owner])
  useEffect(() => {
    if (createRuleChecker === undefined || collection.rules === undefined) return
    judge.current = createRuleChecker(collection)
    saver.judgeAnew()
  }, [createRuleChecker, collection, saver])
  useEffect(() => saver.take(record), [saver, record])
  useEffect(() => {
    let isOpen = true
    void recoverEdits(owner, (left) => isOpen && saver.adopt(left)).then(undefined, () => undefined)
    return () => void (isOpen = false)
  }, [saver, owner])
  useStoreBeforeLeaving(saver)
  useMirrorDraftInList(list, draft, saver)
  return { draft, saver }
}

/** Nothing is stored in the name of anybody but the one who wrote it, however late it is tried again. */
function asUser<Stored>(userId: string, store: () => Promise<Stored>): Promise<Stored> {
  if (sessionState.snapshot().user?.id === userId) return store()
  return Promise.reject(new CallError('session-changed', t('Sign in again to store what you wrote.')))
}

function useStoreBeforeLeaving(saver: DraftSaver): void {
  useEffect(() => {
    const store = () => void saver.flush()
    const ask = (event: BeforeUnloadEvent) => {
      // A page that starts anew as somebody else is not to be held up.
      if (!saver.hasUnsaved() || sessionState.snapshot().status !== 'signed-in') return
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
