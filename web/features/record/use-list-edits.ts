import { useMemo, useSyncExternalStore } from 'react'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { RecordDraft } from '#web/shared/record-drafts/record-draft.ts'

const subscribeToNothing = () => () => undefined
const nothing = () => undefined

/** A draft as it is to be seen: with what was written into the record in the list beside it and has not come back yet. */
export function useListEdits(draft: RecordDraft, list: ListEdits | undefined): RecordDraft {
  const shown = useSyncExternalStore(list?.subscribe ?? subscribeToNothing, list?.shown ?? nothing)
  const { base } = draft
  return useMemo(() => {
    const given = shown?.givenTo(base)
    return given ? { ...draft, base: { ...base, values: { ...base.values, ...given } } } : draft
  }, [shown, base, draft])
}
