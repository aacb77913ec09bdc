import { useState } from 'react'
import type { Result } from '#domain/shared/result.ts'

type ValidatedText<Value> = {
  readonly onChange: (value: Value | null) => void
  readonly onFault: ((message: string) => void) | undefined
  readonly onDone: (() => void) | undefined
  readonly read: (text: string) => Result<Value, { readonly message: string }>
}

/** Text of a certain format. `typed` is undefined while the value is shown; errors are reported on blur. */
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
  /** The error to show; `told` is the error of the stored value. */
  const errorBeside = (told: string | undefined) => (isLeft ? (fault ?? told) : undefined)
  return { typed, type, leave, errorBeside }
}
