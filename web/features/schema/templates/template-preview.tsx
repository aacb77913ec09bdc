import { Fragment } from 'react'
import type { TemplateBody } from '#api/templates.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds/kinds.ts'
import { IconArrowRight } from '#web/ui/icons/general.ts'
import { HueDot } from '#web/ui/dropdown/option.tsx'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

export function TemplatePreview({ template: { label, purpose, collections } }: { readonly template: TemplateBody }) {
  return (
    <section
      className="template-preview"
      aria-label={t('Included in “{template}”', { template: label })}
      aria-live="polite"
    >
      <p>{purpose}</p>
      {collections.toReversed().map((collection) => (
        <CollectionPreview key={collection.label} collection={collection} />
      ))}
    </section>
  )
}

type Collection = TemplateBody['collections'][number]

function CollectionPreview({
  collection: { label, fields, states, rules, views },
}: {
  readonly collection: Collection
}) {
  return (
    <article className="template-collection">
      <h3>{label}</h3>
      <ul className="template-fields">
        {fields.map((field) => {
          const { Icon, label: kind } = KIND_TRAITS[field.kind]
          return (
            <li key={field.label} title={kind}>
              <Icon size={14} stroke={1.5} aria-hidden />
              {field.label}
            </li>
          )
        })}
      </ul>
      {states.length > 0 && <States states={states} />}
      {(views.length > 0 || rules.length > 0) && (
        <dl>
          {views.length > 0 && (
            <>
              <dt>{t('Views')}</dt>
              <dd>{listText(views)}</dd>
            </>
          )}
          {rules.map((rule, at) => (
            <Fragment key={rule}>
              <dt className={at > 0 ? 'visually-hidden' : undefined}>{t('Rule')}</dt>
              <dd>{rule}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </article>
  )
}

function States({ states }: { readonly states: Collection['states'] }) {
  return (
    <ol className="template-states">
      {states.map(({ name, color }, at) => {
        const { text, tint } = optionColors(color)
        return (
          <li key={name}>
            {at > 0 && <IconArrowRight size={12} stroke={1.5} aria-hidden />}
            <span style={{ color: text, background: tint }}>
              <HueDot hue={color} />
              {name}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
