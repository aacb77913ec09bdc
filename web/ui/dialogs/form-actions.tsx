import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#web/i18n/t.ts'
import '../feedback/feedback.css'

type FormActionsProps = {
  /** Label of the submit button. */
  readonly label: string
  readonly isReady?: boolean
  readonly isBusy?: boolean
  readonly onCancel: () => void
  /** Additional buttons, shown before Cancel. */
  readonly children?: ReactNode
}

export const FormActions = ({ label, isReady = true, isBusy = false, onCancel, children }: FormActionsProps) => (
  <div className="dialog-actions">
    {children}
    <Button onClick={onCancel}>{t('Cancel')}</Button>
    <Button type="submit" variant="filled" disabled={!isReady} loading={isBusy}>
      {label}
    </Button>
  </div>
)
