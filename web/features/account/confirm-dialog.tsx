import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import './account-dialog.css'

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

/** A question before a change that makes an account less safe, or ends something for good. */
export function ConfirmDialog({ isOpen, onClose, title, children, ...action }: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={440}>
      <div className="account-dialog">
        <div>{children}</div>
        <div className="account-dialog-actions">
          <Button onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button variant="filled" color="danger" loading={action.isBusy} onClick={action.onConfirm}>
            {action.actionLabel}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
