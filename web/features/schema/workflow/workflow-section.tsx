import { ActionIcon, Button, Drawer, Skeleton, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field, SelectOption } from '#domain/fields/field.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconArrowRight, IconPencil, IconRoute } from '#web/ui/icons/later.ts'
import { IconTrash } from '#web/ui/icons/general.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { t } from '#web/i18n/t.ts'
import { FieldDialog } from '#web/features/schema/fields/field-dialog.tsx'
import { TransitionDialog } from './transition-dialog.tsx'
import {
  describeTransition,
  firstWorkflow,
  stateFieldOf,
  type StoredTransition,
  transitionDraftOf,
  useRoleNames,
  useSaveWorkflow,
} from './workflow-draft.ts'
import '#web/features/schema/schema.css'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'

type StatusDialogProps = {
  readonly collection: TypedCollection
  /** Null while the dialog is closed. */
  readonly state: SelectOption | null
  readonly onClose: () => void
}

function StatusDialog({ collection, state, onClose }: StatusDialogProps) {
  return (
    <Drawer
      opened={state !== null}
      onClose={onClose}
      title={t('In status “{name}”', { name: state?.name ?? '' })}
      size={520}
    >
      {state !== null && <StatusForm collection={collection} state={state} onClose={onClose} />}
    </Drawer>
  )
}

function StatusForm({ collection, state, onClose }: StatusDialogProps & { readonly state: SelectOption }) {
  const stored = collection.workflow?.states[state.id] ?? { requiredToLeave: [], frozen: [] }
  const [required, setRequired] = useState<readonly string[]>(stored.requiredToLeave)
  const [frozen, setFrozen] = useState<'all' | readonly string[]>(stored.frozen)
  const { putState, isPending, error } = useSaveWorkflow(collection)
  const fields = collection.fields.filter(({ id }) => id !== collection.workflow?.field)
  const options = fields.map(({ id, label }) => ({ value: id, label }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    putState(state.id, { requiredToLeave: [...required], frozen: frozen === 'all' ? frozen : [...frozen] }, onClose)
  }
  return (
    <form onSubmit={submit} className="dialog-form">
      <WithHelp setting="state-required">
        <Dropdown
          multiple
          label={t('Required before leaving this status')}
          placeholder={required.length === 0 ? t('None') : ''}
          options={options}
          value={required}
          onChange={setRequired}
        />
      </WithHelp>
      <WithHelp setting="state-frozen">
        <Switch
          label={t('Lock record')}
          checked={frozen === 'all'}
          onChange={({ currentTarget }) => setFrozen(currentTarget.checked ? 'all' : [])}
        />
      </WithHelp>
      {frozen !== 'all' && (
        <WithHelp setting="state-frozen">
          <Dropdown
            multiple
            label={t('Locked fields')}
            placeholder={frozen.length === 0 ? t('None') : ''}
            options={options}
            value={frozen}
            onChange={setFrozen}
          />
        </WithHelp>
      )}
      <FailureNotice error={error} />
      <FormActions label={t('Save')} isBusy={isPending} onCancel={onClose} />
    </form>
  )
}

export function WorkflowSection({ collection }: { readonly collection: TypedCollection }) {
  const field = stateFieldOf(collection)
  const [opened, setOpened] = useState<StoredTransition | 'new' | null>(null)
  const { turnOn, turnOff, isPending } = useSaveWorkflow(collection)
  return (
    <section className="settings-section" data-tour="workflow" aria-labelledby="workflow-title">
      <div className="settings-head">
        <h2 id="workflow-title">{t('Workflow')}</h2>
        {field && collection.workflow && (
          <div className="settings-actions">
            <Button size="xs" variant="subtle" loading={isPending} onClick={turnOff}>
              {t('Turn off')}
            </Button>
            <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setOpened('new')}>
              {t('Add transition')}
            </Button>
          </div>
        )}
        {field && !collection.workflow && (
          <Button size="xs" loading={isPending} onClick={() => turnOn(firstWorkflow(field))}>
            {t('Turn on')}
          </Button>
        )}
      </div>
      {field && collection.workflow ? (
        <>
          <Statuses collection={collection} field={field} />
          <Transitions collection={collection} field={field} onOpen={setOpened} />
          <TransitionDialog collection={collection} field={field} move={opened} onClose={() => setOpened(null)} />
        </>
      ) : field ? (
        <p className="dialog-hint">
          {t(
            'Anyone who can edit a record can change its status. A workflow limits this to named transitions, such as “Submit”, for the roles and under the conditions you choose.',
          )}
        </p>
      ) : (
        <NoStatusField collection={collection} />
      )}
    </section>
  )
}

const STATUS_FIELD = { kind: 'state' } as const

function NoStatusField({ collection }: { readonly collection: TypedCollection }) {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <p className="dialog-hint">{t('A workflow needs a status field with statuses such as “New” and “Shipped”.')}</p>
      <div>
        <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setAdding(true)}>
          {t('Add status field')}
        </Button>
      </div>
      <FieldDialog
        collection={collection}
        field={isAdding ? 'new' : null}
        start={STATUS_FIELD}
        onClose={() => setAdding(false)}
      />
    </>
  )
}

type PartProps = { readonly collection: TypedCollection; readonly field: Field<'state'> }

function Statuses({ collection, field }: PartProps) {
  const [opened, setOpened] = useState<SelectOption | null>(null)
  return (
    <>
      <p className="dialog-hint">{t('Select a status to set its required and locked fields.')}</p>
      <ul className="workflow-states" aria-label={t('Statuses')}>
        {field.options.choices.map((choice) => (
          <li key={choice.id}>
            <button
              type="button"
              title={t('Required and locked fields in “{name}”', { name: choice.name })}
              onClick={() => setOpened(choice)}
            >
              <OptionChip name={choice.name} color={choice.color} />
              <span className="workflow-asks">{describeComment(collection, choice.id)}</span>
              <IconPencil size={14} stroke={1.5} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <StatusDialog collection={collection} state={opened} onClose={() => setOpened(null)} />
    </>
  )
}

function describeComment({ workflow, fields }: TypedCollection, state: string): string {
  const { requiredToLeave = [], frozen = [] } = workflow?.states[state] ?? {}
  const labels = (ids: readonly string[]): string =>
    fields
      .filter(({ id }) => ids.includes(id))
      .map(({ label }) => label)
      .join(', ')
  const words = [
    ...(requiredToLeave.length > 0 ? [t('requires {labels}', { labels: labels(requiredToLeave) })] : []),
    ...(frozen === 'all'
      ? [t('record locked')]
      : frozen.length > 0
        ? [t('{labels} locked', { labels: labels(frozen) })]
        : []),
  ]
  return words.join(' · ')
}

type TransitionsProps = PartProps & { readonly onOpen: (move: StoredTransition) => void }

function Transitions({ collection, field, onOpen }: TransitionsProps) {
  const { removeMove } = useSaveWorkflow(collection)
  const roles = useRoleNames()
  const nameOf = (id: string): string => roles?.find((role) => role.id === id)?.name ?? t('Unknown role')
  const moves = collection.workflow?.transitions ?? []
  const chip = (id: string) => {
    const choice = field.options.choices.find((each) => each.id === id)
    return choice && <OptionChip name={choice.name} color={choice.color} />
  }
  if (moves.length === 0)
    return <p className="dialog-hint">{t('No transitions yet. Add one so that records can change status.')}</p>
  // Rows show role names, which affect their height.
  if (roles === undefined) return <Skeleton height={60 * moves.length} />
  return (
    <ItemList label={t('Transitions')}>
      {moves.map((move) => (
        <ListItem
          key={move.id}
          icon={IconRoute}
          title={move.name}
          detail={
            <span className="workflow-move">
              <span className="workflow-way">
                {chip(move.from)} <IconArrowRight size={14} stroke={1.5} aria-label={t('to')} /> {chip(move.to)}
              </span>
              <span>{describeTransition(transitionDraftOf(move), nameOf)}</span>
            </span>
          }
          actions={
            <>
              <ActionIcon aria-label={t('Edit transition “{name}”', { name: move.name })} onClick={() => onOpen(move)}>
                <IconPencil size={16} stroke={1.5} />
              </ActionIcon>
              <ActionIcon
                aria-label={t('Remove transition “{name}”', { name: move.name })}
                onClick={() => removeMove(move.id)}
              >
                <IconTrash size={16} stroke={1.5} />
              </ActionIcon>
            </>
          }
        />
      ))}
    </ItemList>
  )
}
