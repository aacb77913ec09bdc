import { Fragment, type ReactNode, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { Code } from './code-block.tsx'
import {
  type Answer,
  bodyOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
  schemaRows,
  typeText,
} from './open-api.ts'
import { curlCommand, variablesOf } from './curl-command.ts'
import { TryIt } from './try-it.tsx'

type OperationViewProps = {
  readonly operation: Operation
  readonly document: OpenApiDocument
  readonly isOpen: boolean
}

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
        <h3>
          <span className="api-method" data-method={method}>
            {method}
          </span>
          <code dir="ltr">
            <Path path={path} />
          </code>
        </h3>
        <span className="api-summary" lang="en">
          <Marked text={summary} />
        </span>
      </summary>
      {wasOpened && <OperationParts operation={operation} document={document} />}
    </details>
  )
}

/** Renders a path that can wrap before each segment. */
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
  return (
    <div className="api-parts">
      <p className="api-who">
        {requiredAccess(operation)} <a href={`#${operation.operationId}`}>{t('Link to this endpoint')}</a>
      </p>
      <CurlExample operation={operation} origin={document.servers[0]?.url ?? ''} />
      <Parameters operation={operation} document={document} />
      {body && (
        <Part title={t('Body')}>
          <SchemaTable of={body.schema} schemas={schemas} isSent />
          <Code text={JSON.stringify(body.example, null, 2)} label={t('Example body')} />
        </Part>
      )}
      {operation.method === 'GET' && <TryIt operation={operation} />}
      <Responses operation={operation} document={document} />
    </div>
  )
}

function CurlExample({ operation, origin }: { readonly operation: Operation; readonly origin: string }) {
  const variables = variablesOf(operation, (token) =>
    token === 'DOSSIER_TOKEN'
      ? t('An API token.')
      : t('The access token returned when you sign in with `"client": "api"`.'),
  )
  return (
    <Part title={t('Command line')}>
      <Code text={curlCommand(operation, origin)} label={t('Shell command')} />
      {variables.length > 0 && (
        <dl className="api-variables">
          {variables.map(({ name, about }) => (
            <div key={name}>
              <dt>
                <code>${name}</code>
              </dt>
              <dd>
                <Marked text={about} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  )
}

function requiredAccess({ security, 'x-permission': permission, 'x-by-hand': isByHand }: Operation): string {
  if (security?.length === 0) return t('Public. No token needed.')
  if (isByHand === true) {
    return permission === undefined
      ? t('Requires a browser session. API tokens are not accepted.')
      : t('Requires {permission} and a browser session. API tokens are not accepted.', { permission })
  }
  return permission === undefined
    ? t('Requires a session or an API token.')
    : t('Requires {permission}, with a session or an API token.', { permission })
}

type PartProps = { readonly title: string; readonly children: ReactNode }

const Part = ({ title, children }: PartProps) => (
  <section>
    <h4>{title}</h4>
    {children}
  </section>
)

const PLACES: { readonly [Place in Parameter['in']]: string } = {
  path: t('path'),
  query: '',
  header: t('header'),
}

function Parameters({ operation, document }: Omit<OperationViewProps, 'isOpen'>) {
  const { parameters = [] } = operation
  if (parameters.length === 0) return null
  return (
    <Part title={t('Parameters')}>
      <dl className="api-lines">
        {parameters.map(({ name, in: place, required, description = '', example, schema }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
              <span>{typeText(schema, document.components.schemas)}</span>
              {required && <em>{t('required')}</em>}
              {PLACES[place] !== '' && <span>{PLACES[place]}</span>}
            </dt>
            <dd>
              <span lang="en">
                <Marked text={description} />
              </span>
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
  /** Whether the schema is a request body; only request properties are marked as required. */
  readonly isSent?: boolean
}

function SchemaTable({ of: schema, schemas, isSent = false }: SchemaTableProps) {
  const lines = schemaRows(schema, schemas)
  if (lines.length === 0) return null
  return (
    <dl className="api-lines">
      {lines.map(({ name, depth, type, isRequired, about }, at) => (
        // The key contains the index, because properties of different objects may have the same name.
        <div key={`${at} ${name}`} style={{ paddingInlineStart: depth * 16 }}>
          <dt>
            <code>{name}</code>
            <span>{type}</span>
            {isRequired && isSent && <em>{t('required')}</em>}
          </dt>
          {about !== '' && (
            <dd lang="en">
              <Marked text={about} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const Marked = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))

function Responses({ operation, document }: Omit<OperationViewProps, 'isOpen'>) {
  return (
    <Part title={t('Responses')}>
      <ul className="api-answers">
        {Object.entries(operation.responses).map(([status, answer]) => (
          <li key={status}>
            <strong data-good={answer['x-codes'] === undefined || undefined}>{status}</strong>
            <div>
              {answer['x-codes']?.map((code) => <code key={code}>{code}</code>) ?? (
                <SuccessResponse answer={answer} schemas={document.components.schemas} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

type SuccessResponseProps = { readonly answer: Answer; readonly schemas: { readonly [name: string]: Schema } }

function SuccessResponse({ answer: { content = {}, headers = {} }, schemas }: SuccessResponseProps) {
  const types = Object.keys(content).map((type) => (type === '*/*' ? t('binary file content') : type))
  return (
    <>
      <span className="api-type">{types.length === 0 ? t('no body') : types.join(', ')}</span>
      <dl className="api-lines">
        {Object.entries(headers).map(([name, { description }]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span>{t('header')}</span>
            </dt>
            <dd lang="en">
              <Marked text={description} />
            </dd>
          </div>
        ))}
      </dl>
      <SchemaTable of={content['application/json']?.schema} schemas={schemas} />
    </>
  )
}
