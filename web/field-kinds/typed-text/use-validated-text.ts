import { useState } from 'react'
import type { Result } from '#domain/shared/result.ts'

type ValidatedText<Value> = {
  readonly onChange: (value: Value | null) => void
  readonly onFault: ((message: string) => void) | undefined
  readonly onDone: (() => void) | undefined
  /** The value of a text that says something, or what is wrong with it. */
  readonly read: (text: string) => Result<Value, { readonly message: string }>
}

/**
 * A text on its way to a value of a certain form. `typed` is undefined while the value itself is shown; what is wrong
 * with it is said when it is left, not while it is typed.
 */
export function useValidatedText<Value>({ onChange, onFault, onDone, read }: ValidatedText<Value>) {
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(true)
  const current = typed === undefined || typed.trim() === '' ? undefined : read(typed)
  const fault = current && !current.ok ? current.fault.message : undefined

  const type = (text: string) => {
    setTyped(text)
    setLeft(false)
    if (text.trim() === '') return onChange(null)
    const next = read(text)
    if (next.ok) onChange(next.value)
    else if (onFault) onFault(next.fault.message)
    else onChange(null)
  }
  const leave = () => {
    setLeft(true)
    if (fault === undefined) setTyped(undefined)
    onDone?.()
  }
  /** The sentence to show now, where `told` is what others say of the stored value. */
  const errorBeside = (told: string | undefined) => (isLeft ? (fault ?? told) : undefined)
  return { typed, type, leave, errorBeside }
}
