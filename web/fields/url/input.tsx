import { urlRules } from '#domain/fields/url.ts'
import { IconExternalLink } from '#web/kit/icons/icon-external-link.ts'
import { t } from '#web/language/t.ts'
import type { InputProps } from '../part-props.ts'
import { TypedTextInput } from '../typed-text/typed-text-input.tsx'
import { shortUrl } from '../typed-text/ways.ts'

/** An address on the web, with the way there. */
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
