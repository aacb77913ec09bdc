import { ActionIcon, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Result } from '#domain/shared/result.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import { isSafeUrl } from '#web/ui/text/link-url.ts'
import '../field-kinds.css'

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
  /** The error to show; `reported` is the error of the stored value. */
  const errorBeside = (reported: string | undefined) => (isLeft ? (fault ?? reported) : undefined)
  return { typed, type, leave, errorBeside }
}

type TypedTextInputProps = Pick<
  InputProps<'email'>,
  'value' | 'onChange' | 'onFault' | 'onDone' | 'label' | 'description' | 'error' | 'readOnly' | 'autoFocus' | 'place'
> & {
  readonly field: { readonly required: boolean }
  readonly check: (text: string) => Result<string, { readonly message: string }>
  readonly inputMode: 'email' | 'url' | 'tel'
  readonly placeholder: string
  readonly way: { readonly href: string; readonly label: string; readonly icon: ReactNode } | undefined
}

export function TypedTextInput(props: TypedTextInputProps) {
  const { value, onChange, onFault, onDone, check, way } = props
  const { typed, type, leave, errorBeside } = useValidatedText({ onChange, onFault, onDone, read: check })
  return (
    <TextInput
      {...textInputProps(props)}
      error={errorBeside(props.error)}
      inputMode={props.inputMode}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={props.placeholder}
      value={typed ?? value ?? ''}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
      rightSection={way && typed === undefined && <OpenLinkButton {...way} />}
    />
  )
}

function OpenLinkButton({ href, label, icon }: NonNullable<TypedTextInputProps['way']>) {
  if (!isSafeUrl(href)) return null
  const isPage = href.startsWith('http')
  return (
    <ActionIcon
      component="a"
      size="sm"
      href={href}
      aria-label={label}
      {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {icon}
    </ActionIcon>
  )
}
