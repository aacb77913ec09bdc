import { phoneRules } from '#domain/fields/phone.ts'
import { IconPhone } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { TypedTextInput } from '#web/field-kinds/typed-text/typed-text-input.tsx'
import { telHref } from '#web/field-kinds/typed-text/link-cell.tsx'

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
