import { Fragment, type ReactNode, useState } from 'react'
import { t } from '#web/language/t.ts'
import { Code } from './code-block.tsx'
import { bodyOf, curlOf, type OpenApiDocument, type Operation, type Schema } from './open-api.ts'
import { schemaLines, typeText } from './schema-lines.ts'
import { TryIt } from './try-it.tsx'

type OperationViewProps = {
  readonly operation: Operation
  readonly document: OpenApiDocument
  readonly isOpen: boolean
}

/** One thing that can be asked: a line, and all of it when it is opened. */
export function OperationView({ operation, document, isOpen }: OperationViewProps) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  const { method, path, summary, operationId } = operation
  return (
    <details
      id={operationId}
      className="api-operation"
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary>
        <span className="api-method" data-method={method}>
          {method}
        </span>
        <code dir="ltr">
          <Path path={path} />
        </code>
        <span className="api-summary">
          <Marked text={summary} />
        </span>
      </summary>
      {wasOpened && <OperationParts operation={operation} document={document} />}
    </details>
  )
}

/** A path in little room breaks before a part of it, not within. */
function Path({ path }: { readonly path: string }) {
  const [, ...parts] = path.split('/')
  return parts.map((part, at) => (
    <Fragment key={at}>
      <wbr />/{part}
    </Fragment>
  ))
}

function OperationParts({ operation, document }: Omit<OperationViewProps, 'isOpen'>) {
  const { schemas } = document.components
  const body = bodyOf(operation)
  const curl = curlOf(operation, document.servers[0]?.url ?? '')
  return (
    <div className="api-parts">
      <p className="api-who">{whoMay(operation)}</p>
      <Parameters operation={operation} document={document} />
      {body && (
        <Part title={t('Body')}>
          <SchemaTable of={body.schema} schemas={schemas} isSent />
          <Code text={JSON.stringify(body.example, null, 2)} label={t('An example of the body')} />
        </Part>
      )}
      <Answers operation={operation} document={document} />
      <Part title={t('From a shell')}>
        <Code text={curl} label={t('The request for a shell')} />
      </Part>
      {operation.method === 'GET' && <TryIt operation={operation} />}
    </div>
  )
}

function whoMay({ security, 'x-permission': permission, 'x-by-hand': isByHand }: Operation): string {
  if (security?.length === 0) return t('For everybody, without a token.')
  if (isByHand === true) {
    return permission === undefined
      ? t('For whoever is signed in with a browser; not with an API token.')
      : t('For whoever holds {permission} and is signed in with a browser; not with an API token.', { permission })
  }
  return permission === undefined
    ? t('For whoever is signed in, or has a token.')
    : t('For whoever holds {permission}, with a session or a token.', { permission })
}

type PartProps = { readonly title: string; readonly children: ReactNode }

const Part = ({ title, children }: PartProps) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
)

function Parameters({ operation, document }: Omit<OperationViewProps, 'isOpen'>) {
  const { parameters = [] } = operation
  if (parameters.length === 0) return null
  return (
    <Part title={t('Parameters')}>
      <dl className="api-lines">
        {parameters.map(({ name, in: place, required, description, example, schema }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span>{typeText(schema, document.components.schemas)}</span>
              {required && <em>{t('required')}</em>}
              {place === 'path' && <span>{t('in the address')}</span>}
            </dt>
            <dd>
              <Marked text={description ?? ''} />
              {example !== undefined && (
                <code className="api-example" dir="ltr">
                  {example}
                </code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

type SchemaTableProps = {
  readonly of: Schema | undefined
  readonly schemas: { readonly [name: string]: Schema }
  /** What is answered is there; what is sent may be left out. */
  readonly isSent?: boolean
}

function SchemaTable({ of: schema, schemas, isSent = false }: SchemaTableProps) {
  const lines = schemaLines(schema, schemas)
  if (lines.length === 0) return null
  return (
    <dl className="api-lines">
      {lines.map(({ name, depth, type, isRequired, about }, at) => (
        // Parts of different wholes may bear one name.
        <div key={`${at} ${name}`} style={{ paddingInlineStart: depth * 16 }}>
          <dt>
            <code>{name}</code>
            <span>{type}</span>
            {isRequired && isSent && <em>{t('required')}</em>}
          </dt>
          {about !== '' && (
            <dd>
              <Marked text={about} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** A text with its `code`. */
const Marked = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))

function Answers({ operation, document }: Omit<OperationViewProps, 'isOpen'>) {
  const { schemas } = document.components
  return (
    <Part title={t('Answers')}>
      <ul className="api-answers">
        {Object.entries(operation.responses).map(([status, { description, content, 'x-codes': codes }]) => (
          <li key={status}>
            <strong data-good={codes === undefined || undefined}>{status}</strong>
            <div>
              {codes ? (
                codes.map((code) => <code key={code}>{code}</code>)
              ) : (
                <>
                  <span>{description}</span>
                  <SchemaTable of={content?.['application/json']?.schema} schemas={schemas} />
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}
