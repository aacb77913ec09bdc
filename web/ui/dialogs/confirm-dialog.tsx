import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import '../feedback/feedback.css'

type ConfirmDialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will be so afterwards. */
  readonly children: ReactNode
  readonly actionLabel: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
}

/** A question before a change that makes something less safe, or ends it for good; where a name must be typed, see `ConfirmByTyping`. */
export function ConfirmDialog({ isOpen, onClose, title, children, ...action }: ConfirmDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title} size={440}>
      <div className="confirm-form">
        <div className="confirm-text">{children}</div>
        <div className="confirm-actions">
          <Button onClick={onClose} data-autofocus>
            {UI_TEXTS.confirm.cancel}
          </Button>
          <Button variant="filled" color="danger" loading={action.isBusy} onClick={action.onConfirm}>
            {action.actionLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
