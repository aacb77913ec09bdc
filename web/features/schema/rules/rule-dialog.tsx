import { Button, Drawer, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { RuleBody } from '#api/rules.ts'
import { MAX_RULE_MESSAGE } from '#domain/rules/rule.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import {
  comparedWhileEmpty,
  newRule,
  onlyWhereFilled,
  type RuleDraft,
  ruleMessage,
  shownField,
  useSaveRules,
  withCustomMessage,
} from './rule-draft.ts'
import '#web/features/schema/schema.css'

type RuleDialogProps = {
  readonly collection: TypedCollection
  /** `new` to add a field; null while the dialog is closed. */
  readonly rule: RuleBody | 'new' | null
  readonly onClose: () => void
}

export function RuleDialog({ collection, rule, onClose }: RuleDialogProps) {
  const title = rule === 'new' ? t('Add a rule') : t('Edit rule')
  return (
    <Drawer opened={rule !== null} onClose={onClose} title={title} size={720}>
      {rule !== null && (
        <RuleForm collection={collection} stored={rule === 'new' ? undefined : rule} onClose={onClose} />
      )}
    </Drawer>
  )
}

type RuleFormProps = {
  readonly collection: TypedCollection
  readonly stored: RuleBody | undefined
  readonly onClose: () => void
}

function RuleForm({ collection, stored, onClose }: RuleFormProps) {
  const { draft, change, said, isWhole, save, isPending, error } = useRuleForm(collection, stored, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !isPending) save()
  }
  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="rule-conditions">
        <Conditions collection={collection} draft={draft} change={change} />
      </WithHelp>
      <WithHelp setting="rule-message">
        <Textarea
          label={t('Error message')}
          description={t('If empty, the default message is used')}
          autosize
          minRows={2}
          maxLength={MAX_RULE_MESSAGE}
          placeholder={said}
          value={draft.message}
          onChange={({ currentTarget }) => change({ message: currentTarget.value })}
        />
      </WithHelp>
      <WithHelp setting="rule-field">
        <Dropdown
          label={t('Show error next to')}
          description={t('The message appears next to this field')}
          clearable
          options={collection.fields.map(({ name, label }) => ({ value: name, label }))}
          value={shownField(
            draft,
            collection.fields.map(({ name }) => name),
          )}
          onChange={(field) => change({ field })}
          placeholder={t('No field (top of the record)')}
        />
      </WithHelp>
      <FailureNotice error={error} />
      <FormActions
        label={stored ? t('Save rule') : t('Add rule')}
        isReady={isWhole}
        isBusy={isPending}
        onCancel={onClose}
      />
    </form>
  )
}

type ConditionsProps = Pick<RuleFormProps, 'collection'> & Pick<ReturnType<typeof useRuleForm>, 'draft' | 'change'>

function Conditions({ collection, draft, change }: ConditionsProps) {
  const findCollection = useFindCollection()
  const builder = { collection, findCollection }
  return (
    <>
      <div className="rule-part">
        <h3>{t('When')}</h3>
        <LazyConditionBuilder
          {...builder}
          label={t('When')}
          lead={t('When')}
          value={draft.when}
          emptyText={t('Applies to all records. Add a condition to limit it.')}
          onChange={(when, isComplete) => change({ when }, { when: isComplete })}
        />
      </div>
      <div className="rule-part">
        <h3>{t('Then require')}</h3>
        <LazyConditionBuilder
          {...builder}
          label={t('Then require')}
          lead={t('Then')}
          value={draft.then}
          emptyText={t('Add a requirement, such as “Tracking is not empty”.')}
          onChange={(then, isComplete) => change({ then }, { then: isComplete })}
        />
        <EmptyHint collection={collection} draft={draft} change={change} />
      </div>
    </>
  )
}

/** Warns that records with empty fields violate a comparison, and offers to exclude them. */
function EmptyHint({ collection, draft, change }: ConditionsProps) {
  const empty = comparedWhileEmpty(draft, collection)
  if (empty.length === 0) return null
  const fields = listText(
    empty.map(({ label }) => label),
    'disjunction',
  )
  return (
    <p className="rule-hint">
      {t('Records without {fields} also break this rule.', { fields })}{' '}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => change({ when: onlyWhereFilled(draft, empty) }, { when: true })}
      >
        {t('Exclude these records')}
      </Button>
    </p>
  )
}

type Completeness = { readonly when: boolean; readonly then: boolean }

function useRuleForm(collection: TypedCollection, stored: RuleBody | undefined, onClose: () => void) {
  const findCollection = useFindCollection()
  const [draft, setDraft] = useState<RuleDraft>(() =>
    stored ? withCustomMessage(stored, { collection, findCollection }) : newRule(collection),
  )
  const [complete, setComplete] = useState<Completeness>({ when: true, then: true })
  const { put, isPending, error, reset } = useSaveRules(collection)
  const change = (part: Partial<RuleDraft>, whole: Partial<Completeness> = {}) => {
    if (error) reset()
    setDraft((before) => ({ ...before, ...part }))
    setComplete((before) => ({ ...before, ...whole }))
  }
  const { when, then } = draft
  const said = useRuleMessage(collection, when, then)
  const isWhole = complete.when && complete.then && then !== null
  const save = () => {
    if (then === null) return
    const field = shownField(
      draft,
      collection.fields.map(({ name }) => name),
    )
    const message = (draft.message.trim() || said).slice(0, MAX_RULE_MESSAGE)
    put({ when, then, message, field }, stored?.id, onClose)
  }
  return { draft, change, said, isWhole, save, isPending, error }
}

/** The default message, or an example if the rule has no conditions yet. */
function useRuleMessage(collection: TypedCollection, when: Filter | null, then: Filter | null): string {
  const findCollection = useFindCollection()
  const { data: people } = useQuery(peopleQuery)
  if (then === null) return t('Shipped orders need a tracking number.')
  const personOf = (id: string) => people?.find((person) => person.id === id)?.name
  return ruleMessage({ when, then }, { collection, findCollection, personOf })
}
