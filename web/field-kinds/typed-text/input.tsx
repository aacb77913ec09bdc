import { ActionIcon, TextInput, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Result, ok } from '#domain/shared/result.ts'
import { type InputProps, textInputProps } from '#web/field-kinds/field-kind.ts'
import { isSafeUrl } from '#web/ui/text/link-url.ts'
import '../field-kinds.css'
import { emailRules } from '#domain/fields/email.ts'
import { IconMail } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { mailtoHref, shortUrl, telHref } from './typed-text.tsx'
import { urlRules } from '#domain/fields/url.ts'
import { IconExternalLink } from '#web/ui/icons/later.ts'
import { phoneRules } from '#domain/fields/phone.ts'
import { IconPhone } from '#web/ui/icons/general.ts'
import { jsonRules } from '#domain/fields/json.ts'

type ValidatedText<Value> = {
  readonly onChange: (value: Value | null) => void
  readonly onFault: ((message: string) => void) | undefined
  readonly onDone: (() => void) | undefined
  readonly read: (text: string) => Result<Value, { readonly message: string }>
}

/**
 * An input for text in a specific format; reports errors on blur. `typed` is undefined while the stored value is shown.
 */
function useValidatedText<Value>({ onChange, onFault, onDone, read }: ValidatedText<Value>) {
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
  /** The error to show; `reported` is the server's error for the stored value. */
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

function TypedTextInput(props: TypedTextInputProps) {
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

export function EmailInput(props: InputProps<'email'>) {
  const { field, value } = props
  const icon = <IconMail size={16} stroke={1.5} aria-hidden />
  return (
    <TypedTextInput
      {...props}
      check={(text) => emailRules.check(text, field)}
      inputMode="email"
      placeholder="name@example.org"
      way={value === null ? undefined : { href: mailtoHref(value), label: t('Email {value}', { value }), icon }}
    />
  )
}

export function UrlInput(props: InputProps<'url'>) {
  const { field, value } = props
  const icon = <IconExternalLink size={16} stroke={1.5} aria-hidden />
  return (
    <TypedTextInput
      {...props}
      check={(text) => urlRules.check(text, field)}
      inputMode="url"
      placeholder="https://example.org"
      way={
        value === null
          ? undefined
          : { href: value, label: t('Open {shortAddress} in a new tab', { shortAddress: shortUrl(value) }), icon }
      }
    />
  )
}

export function PhoneInput(props: InputProps<'phone'>) {
  const { field, value } = props
  const icon = <IconPhone size={16} stroke={1.5} aria-hidden />
  return (
    <TypedTextInput
      {...props}
      check={(text) => phoneRules.check(text, field)}
      inputMode="tel"
      placeholder="+43 1 234 56 78"
      way={value === null ? undefined : { href: telHref(value), label: t('Call {value}', { value }), icon }}
    />
  )
}

const printJson = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2))

export function JsonInput(props: InputProps<'json'>) {
  const { field, value, onChange, onFault, onDone } = props
  const read = (text: string) => {
    const parsed = jsonRules.parse(text, field)
    return parsed.ok ? ok<unknown>(JSON.parse(parsed.value)) : parsed
  }
  const { typed, type, leave, errorBeside } = useValidatedText({ onChange, onFault, onDone, read })
  return (
    <Textarea
      {...textInputProps(props)}
      error={errorBeside(props.error)}
      className="json-input"
      autosize
      minRows={2}
      maxRows={24}
      spellCheck={false}
      autoCapitalize="off"
      value={typed ?? printJson(value)}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
    />
  )
}
