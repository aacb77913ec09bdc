import type { RuleBody } from '#api/rules.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { plural, t } from '#web/i18n/t.ts'
import { type CollectionChange, useChangeCollection } from '#web/features/schema/collection/collection-queries.ts'

type RuleInputs = NonNullable<CollectionChange['rules']>

/** Without an id it is new. */
type RuleInput = Omit<RuleBody, 'id'>

/** The server replaces all rules of a collection at once. */
export function useSaveRules(collection: TypedCollection) {
  const { mutate, isPending, error, reset } = useChangeCollection(collection.name)
  const rules: RuleInputs = collection.rules ?? []

  const put = (rule: RuleInput, id: string | undefined, onDone: () => void) => {
    const next = id === undefined ? [...rules, rule] : rules.map((each) => (each.id === id ? { ...rule, id } : each))
    mutate(
      { rules: next },
      {
        onSuccess: ({ broken = [] }) => {
          notifyViolations(broken)
          onDone()
        },
      },
    )
  }
  const remove = (rule: RuleBody) => {
    const { id, ...said } = rule
    const onError = (fault: Error) =>
      notify.error(t('Couldn’t save the rules'), { detail: describeError(fault).detail })
    const putBack = () => mutate({ rules: [...rules.filter((each) => each.id !== id), said] }, { onError })
    mutate(
      { rules: rules.filter((each) => each.id !== id) },
      { onSuccess: () => notify.success(t('Rule removed'), { action: { label: t('Undo'), run: putBack } }), onError },
    )
  }
  return { put, remove, isPending, error, reset }
}

type ViolationCount = { readonly count: number | null; readonly countIs: 'exact' | 'atLeast' | 'unknown' }

/** Announces a new rule and how many records violate it. */
function notifyViolations([broken]: readonly ViolationCount[]): void {
  if (!broken?.count) return void notify.success(t('Rule saved'))
  const broke =
    broken.countIs === 'atLeast'
      ? plural(broken.count, 'More than {n} record breaks it.', 'More than {n} records break it.')
      : plural(broken.count, '{n} record breaks it.', '{n} records break it.')
  notify.info(t('Rule saved'), { detail: `${broke} ${t('They stay as they are until someone edits them.')}` })
}
