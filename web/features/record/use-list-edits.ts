import { useMemo, useSyncExternalStore } from 'react'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { RecordDraft } from '#web/shared/record-drafts/record-draft.ts'

const subscribeToNothing = () => () => undefined
const nothing = () => undefined

/** A draft combined with unsaved edits from the list. */
export function useListEdits(draft: RecordDraft, list: ListEdits | undefined): RecordDraft {
  const shown = useSyncExternalStore(list?.subscribe ?? subscribeToNothing, list?.shown ?? nothing)
  const { base } = draft
  return useMemo(() => {
    const given = shown?.givenTo(base)
    return given ? { ...draft, base: { ...base, values: { ...base.values, ...given } } } : draft
  }, [shown, base, draft])
}
