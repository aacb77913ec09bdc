import type { RuleBody } from '#api/rules.ts'
import { failureText } from '#web/client/problem-text.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { type CollectionChange, useChangeCollection } from './collection-queries.ts'

type RuleInputs = NonNullable<CollectionChange['rules']>

/** A rule as it is sent; without an id it is new. */
type RuleInput = Omit<RuleBody, 'id'>

/** Adds, changes and removes rules. The server takes all of a collection's rules at once. */
export function useSaveRules(collection: KnownCollection) {
  const { mutate, isPending, error, reset } = useChangeCollection(collection.name)
  const rules: RuleInputs = collection.rules ?? []

  const put = (rule: RuleInput, id: string | undefined, onDone: () => void) => {
    const next = id === undefined ? [...rules, rule] : rules.map((each) => (each.id === id ? { ...rule, id } : each))
    mutate(
      { rules: next },
      {
        onSuccess: ({ broken = [] }) => {
          tellBroken(broken)
          onDone()
        },
      },
    )
  }
  const remove = (rule: RuleBody) => {
    const { id, ...said } = rule
    const onError = (fault: Error) =>
      notify.error('The rules could not be changed', { detail: failureText(fault).detail })
    const putBack = () => mutate({ rules: [...rules.filter((each) => each.id !== id), said] }, { onError })
    mutate(
      { rules: rules.filter((each) => each.id !== id) },
      { onSuccess: () => notify.success('Rule removed', { action: { label: 'Undo', run: putBack } }), onError },
    )
  }
  return { put, remove, isPending, error, reset }
}

type Broken = { readonly count: number | null; readonly countIs: 'exact' | 'atLeast' | 'unknown' }

/** Says that a rule holds from now on, and how many of the records there are it finds wanting. */
function tellBroken([broken]: readonly Broken[]): void {
  if (!broken?.count) return void notify.success('Rule saved')
  const least = broken.countIs === 'atLeast' ? 'More than ' : ''
  const records = broken.count === 1 ? '1 record breaks it' : `${broken.count.toLocaleString()} records break it`
  notify.info('Rule saved', { detail: `${least}${records}. They stay as they are until somebody changes them.` })
}
