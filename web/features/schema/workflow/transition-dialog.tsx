import { Drawer, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { NOTES } from '#domain/workflow/workflow.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Dropdown, MultiPick } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import {
  newTransition,
  type StoredTransition,
  type TransitionDraft,
  transitionDraftOf,
  useRoleNames,
  useSaveWorkflow,
} from './workflow-draft.ts'
import '#web/features/schema/schema.css'

type TransitionDialogProps = {
  readonly collection: TypedCollection
  readonly field: Field<'state'>
  /** `new` to add a field; null while the dialog is closed. */
  readonly move: StoredTransition | 'new' | null
  readonly onClose: () => void
}

export function TransitionDialog({ move, onClose, ...rest }: TransitionDialogProps) {
  return (
    <Drawer
      opened={move !== null}
      onClose={onClose}
      title={move === 'new' ? t('Add transition') : t('Edit transition')}
      size={720}
    >
      {move !== null && <TransitionForm {...rest} stored={move === 'new' ? undefined : move} onClose={onClose} />}
    </Drawer>
  )
}

const COMMENT_LABELS = {
  none: t('No comment'),
  optional: t('Optional comment'),
  required: t('Required comment'),
} as const

type TransitionFormProps = Omit<TransitionDialogProps, 'move'> & { readonly stored: StoredTransition | undefined }

function useTransitionForm({ collection, field, stored, onClose }: TransitionFormProps) {
  const first = field.options.choices[0]?.id ?? null
  const [draft, setDraft] = useState<TransitionDraft>(stored ? transitionDraftOf(stored) : newTransition(first))
  const [isConditionWhole, setConditionWhole] = useState(true)
  const { putMove, isPending, error, reset } = useSaveWorkflow(collection)
  const change = (part: Partial<TransitionDraft>) => {
    if (error) reset()
    setDraft((before) => ({ ...before, ...part }))
  }
  const changeCondition = (when: Filter | null, isComplete: boolean) => {
    change({ when })
    setConditionWhole(isComplete)
  }
  const isWhole = draft.name.trim() !== '' && draft.from !== null && draft.to !== null && isConditionWhole
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !isPending) putMove(draft, stored?.id, onClose)
  }
  return { draft, change, changeCondition, isWhole, submit, isPending, error }
}

function TransitionForm(props: TransitionFormProps) {
  const { collection, field, stored, onClose } = props
  const { draft, change, changeCondition, isWhole, submit, isPending, error } = useTransitionForm(props)
  const roles = useRoleNames() ?? []
  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="move-name">
        <TextInput
          label={t('Name')}
          description={t('The button text, such as “Submit”')}
          required
          data-autofocus
          maxLength={120}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </WithHelp>
      <TransitionEnds field={field} draft={draft} change={change} />
      {roles.length > 0 && (
        <WithHelp setting="move-roles">
          <MultiPick
            label={t('Who can do this')}
            description={t(
              'The selected roles also need permission to change status. Leave empty to allow everyone who has it.',
            )}
            placeholder={t('Everyone')}
            options={roles.map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.roles}
            onChange={(chosen) => change({ roles: chosen })}
          />
        </WithHelp>
      )}
      <WithHelp setting="move-note">
        <Dropdown
          label={t('Comment')}
          required
          options={NOTES.map((note) => ({ value: note, label: COMMENT_LABELS[note] }))}
          value={draft.note}
          onChange={(note) => change({ note: NOTES.find((known) => known === note) ?? 'none' })}
        />
      </WithHelp>
      <OnlyWhen collection={collection} when={draft.when} onChange={changeCondition} />
      <FailureNotice error={error} />
      <FormActions
        label={stored ? t('Save transition') : t('Add transition')}
        isReady={isWhole}
        isBusy={isPending}
        onCancel={onClose}
      />
    </form>
  )
}

type TransitionEndsProps = Pick<TransitionFormProps, 'field'> &
  Pick<ReturnType<typeof useTransitionForm>, 'draft' | 'change'>

function TransitionEnds({ field, draft, change }: TransitionEndsProps) {
  const states = field.options.choices.map(({ id, name, color }) => ({ value: id, label: name, hue: color }))
  return (
    <div className="move-ends">
      <WithHelp setting="move-states">
        <Dropdown
          label={t('From')}
          required
          options={states}
          value={draft.from}
          onChange={(from) => change({ from })}
        />
      </WithHelp>
      <WithHelp setting="move-states">
        <Dropdown
          label={t('To')}
          required
          options={states.map((state) => ({ ...state, disabled: state.value === draft.from }))}
          value={draft.to}
          onChange={(to) => change({ to })}
        />
      </WithHelp>
    </div>
  )
}

type OnlyWhenProps = {
  readonly collection: TypedCollection
  readonly when: Filter | null
  readonly onChange: (when: Filter | null, isComplete: boolean) => void
}

function OnlyWhen({ collection, when, onChange }: OnlyWhenProps) {
  const findCollection = useFindCollection()
  return (
    <div className="rule-part">
      <WithHelp setting="move-when">
        <h3>{t('Only when')}</h3>
        <LazyConditionBuilder
          collection={collection}
          findCollection={findCollection}
          label={t('Only when')}
          value={when}
          emptyText={t('Applies to all records. Add a condition to limit it.')}
          onChange={onChange}
        />
      </WithHelp>
    </div>
  )
}
