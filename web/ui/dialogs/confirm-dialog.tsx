import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import '../feedback/feedback.css'

export type ConfirmDialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  readonly actionLabel: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
}

/** Confirms a change that weakens security or can't be undone; `ConfirmByTyping` also asks the user to type a name. */
export function ConfirmDialog({ isOpen, onClose, title, children, ...action }: ConfirmDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title} size={440}>
      <div className="confirm-form">
        <div className="confirm-text">{children}</div>
        <div className="dialog-actions">
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

type ConfirmByTypingProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** Describes what will be deleted, with counts, and what will be kept. */
  readonly children: ReactNode
  readonly name: string
  /** Whether `name` is a number, which is accepted with or without digit separators. */
  readonly isNumber?: boolean
  readonly actionLabel: string
  /**
   * The dialog stays open while the returned promise is pending or if it rejects; show the error in `children` or a
   * toast.
   */
  readonly onConfirm: () => void | Promise<void>
}

/** Asks the user to type the name; for changes that can't be undone. */
export function ConfirmByTyping(props: ConfirmByTypingProps) {
  return (
    <Dialog opened={props.isOpen} onClose={props.onClose} title={props.title} size={460}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

/** A separate component, so that the typed text is reset when the dialog closes. */
function ConfirmForm({ children, name, isNumber = false, actionLabel, onConfirm, onClose }: ConfirmByTypingProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isSame = isNumber ? digitsOf(typed) === digitsOf(name) : typed.trim() === name.trim()

  const confirm = async () => {
    setBusy(true)
    await Promise.resolve(onConfirm()).finally(() => setBusy(false))
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSame && !isBusy) void confirm()
  }

  return (
    <form onSubmit={submit} className="confirm-form">
      <div className="confirm-text">{children}</div>
      <TextInput
        label={UI_TEXTS.confirm.typeToConfirm(name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...(isNumber && { inputMode: 'numeric' })}
        data-autofocus
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{UI_TEXTS.confirm.cancel}</Button>
        <Button type="submit" variant="filled" color="danger" disabled={!isSame} loading={isBusy}>
          {actionLabel}
        </Button>
      </div>
    </form>
  )
}

const digitsOf = (text: string): string => text.trim().replaceAll(/[\s.,'’]/g, '')
