import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useStore } from '#web/ui/store.ts'
import { t } from '#web/i18n/t.ts'
import {
  addToListHistory,
  syncStoredRecord,
  useMirrorDraftInList,
} from '#web/shared/record-drafts/mirror-draft-in-list.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { createDraftSaver, type DraftSaver, type SaverDeps } from '#web/shared/record-drafts/draft-saver.ts'
import { activeSavers } from '#web/shared/record-drafts/active-savers.ts'
import { storeEdits, unsavedEdits, recoverEdits } from '#web/shared/record-drafts/unsaved-edits.ts'
import { draftOf, type RecordDraft, resumed } from '#web/shared/record-drafts/record-draft.ts'
import { invalidateLists, cacheRecord, recordQuery, saveRecord } from '#web/data/queries/record-queries.ts'
import type { RuleChecker } from '#web/shared/validation-rules/rule-violations.ts'

const judging = lazyModule(() => import('#web/shared/validation-rules/rule-checker.ts'))

/**
 * A record being edited, and functions to save it. When the user leaves the page, unsaved edits are sent or stored in
 * this browser.
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
  const checker = useRef<RuleChecker>(undefined)
  const [owner] = useState(() => ({ userId: user?.id ?? '', collection: collection.id, record: record.id }))
  const [deps] = useState<SaverDeps>(() => ({
    fields: collection.fields,
    rules,
    checker: () => checker.current,
    save: (base, values) => asUser(owner.userId, () => saveRecord(collection.name, base, values)),
    reload: () => queryClient.fetchQuery({ ...recordQuery(collection.name, record.id), staleTime: 0 }),
    keep: (edits, waiting) => storeEdits(owner, edits, waiting),
    onStored: (stored, values, before) => {
      cacheRecord(queryClient, collection.name, stored)
      if (list) addToListHistory(list, collection, { record: stored, fields: Object.keys(values), before })
      if (list) syncStoredRecord(list, collection, { record: stored, fields: Object.keys(values) })
      else invalidateLists(queryClient, collection.name)
    },
  }))
  const [saver] = useState(() => {
    const kept = unsavedEdits(owner)
    const start = kept ? resumed(record, kept, collection.fields) : draftOf(record)
    return activeSavers.of(owner) ?? createDraftSaver(start, deps)
  })
  const draft = useStore(saver)

  useEffect(() => {
    saver.serve(deps)
    return activeSavers.open(owner, saver)
  }, [saver, deps, owner])
  useEffect(() => {
    if (createRuleChecker === undefined || collection.rules === undefined) return
    checker.current = createRuleChecker(collection)
    saver.revalidate()
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

/** Only saves edits as the user who made them, even after a delay. */
function asUser<Stored>(userId: string, store: () => Promise<Stored>): Promise<Stored> {
  if (sessionState.get().user?.id === userId) return store()
  return Promise.reject(new CallError('session-changed', t('Sign in again to save your changes.')))
}

function useStoreBeforeLeaving(saver: DraftSaver): void {
  useEffect(() => {
    const store = () => void saver.flush()
    const ask = (event: BeforeUnloadEvent) => {
      // A reload because a different user is signed in must not be blocked.
      if (!saver.hasUnsaved() || sessionState.get().status !== 'signed-in') return
      store()
      event.preventDefault()
    }
    // Saves edits from an earlier visit immediately.
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
