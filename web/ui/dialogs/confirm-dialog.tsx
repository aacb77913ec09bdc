import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import '../feedback/feedback.css'
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

/** A question before something that cannot be undone. */
type ConfirmByTypingProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** What will happen, as a heading: “Delete Invoices”. */
  readonly title: string
  /** What will be gone, with its numbers, and what stays. */
  readonly children: ReactNode
  /** What has to be typed: the name of the thing. */
  readonly name: string
  /** `name` is a whole number: it may be typed with or without separators. */
  readonly isNumber?: boolean
  /** The button, with its verb: “Delete 3,201 records”. */
  readonly actionLabel: string
  /** Does it. The dialog waits, and stays open when it fails; say why in `children` or a toast. */
  readonly onConfirm: () => void | Promise<void>
}

/** Asks for the name to be typed. Only where undo cannot be offered. */
export function ConfirmByTyping(props: ConfirmByTypingProps) {
  return (
    <Dialog opened={props.isOpen} onClose={props.onClose} title={props.title} size={460}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

/** Its own component, so that what was typed is gone when the dialog closes. */
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
      <div className="confirm-actions">
        <Button onClick={onClose}>{UI_TEXTS.confirm.cancel}</Button>
        <Button type="submit" variant="filled" color="danger" disabled={!isSame} loading={isBusy}>
          {actionLabel}
        </Button>
      </div>
    </form>
  )
}

/** What was typed without separators; anything else is no number. */
const digitsOf = (text: string): string => text.trim().replaceAll(/[\s.,'’]/g, '')
