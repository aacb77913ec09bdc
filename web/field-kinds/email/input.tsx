import { emailRules } from '#domain/fields/email.ts'
import { IconMail } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { TypedTextInput } from '#web/field-kinds/typed-text/typed-text-input.tsx'
import { mailtoHref } from '#web/field-kinds/typed-text/link-cell.tsx'

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
