import { urlRules } from '#domain/fields/url.ts'
import { IconExternalLink } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { TypedTextInput } from '#web/field-kinds/typed-text/typed-text-input.tsx'
import { shortUrl } from '#web/field-kinds/typed-text/link-cell.tsx'

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
