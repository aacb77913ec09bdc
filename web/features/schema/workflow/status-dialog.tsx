import { Button, Drawer, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SelectOption } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { useSaveWorkflow } from './use-save-workflow.ts'
import '../schema.css'

type StatusDialogProps = {
  readonly collection: TypedCollection
  /** null while the dialog is closed. */
  readonly state: SelectOption | null
  readonly onClose: () => void
}

/** What a state asks of the records that are in it. */
export function StatusDialog({ collection, state, onClose }: StatusDialogProps) {
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
      {error && <FailureNotice error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" loading={isPending}>
          {t('Save')}
        </Button>
      </div>
    </form>
  )
}
