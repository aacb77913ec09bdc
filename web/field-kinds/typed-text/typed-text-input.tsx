import { ActionIcon, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Result } from '#domain/shared/result.ts'
import { isSafeUrl } from '#web/ui/text/link-url.ts'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { useValidatedText } from './use-validated-text.ts'
import '../field-kinds.css'

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
