import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MAX_DASHBOARD_NAME } from '#domain/dashboards/dashboard.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import './dashboards.css'

type DashboardNameDialogProps = Omit<NameFormProps, 'start'> & {
  readonly isOpen: boolean
  readonly title: string
  readonly start?: string
}

export const DashboardNameDialog = ({ isOpen, title, start = '', ...form }: DashboardNameDialogProps) => (
  <Dialog opened={isOpen} onClose={form.onClose} title={title} size={420}>
    <NameForm {...form} start={start} />
  </Dialog>
)

type NameFormProps = {
  readonly start: string
  readonly label: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** A separate component, so that the typed name is reset when the dialog closes. */
function NameForm({ start, label, isBusy, error, onName, onClose }: NameFormProps) {
  const [name, setName] = useState(start)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && !isBusy) onName(name.trim())
  }
  return (
    <form onSubmit={submit} className="dashboard-dialog">
      <WithHelp setting="dashboard-name">
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={MAX_DASHBOARD_NAME}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={error && describeError(error).detail}
          data-autofocus
        />
      </WithHelp>
      <FormActions label={label} isReady={name.trim() !== ''} isBusy={isBusy} onCancel={onClose} />
    </form>
  )
}
