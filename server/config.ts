import { join, resolve } from 'node:path'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { type Secret, secret } from './platform/config/secret.ts'
import { readSessionSettings, type SessionSettings } from './platform/config/session-settings.ts'
import { PROJECT_ROOT } from './project-root.ts'
import { type Environment, type SettingReaders, settingReaders } from './platform/config/setting-readers.ts'

/** How much is logged. */
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Where finished files live when not in the data folder. */
export type S3Settings = {
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** What every key begins with, so that a bucket can be shared; empty or ending in a slash. */
  readonly prefix: string
}

/** An identity provider people can sign in with; `name` stands in addresses, in lower case. */
export type OidcProvider = {
  readonly name: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Secret
}

/** Everything that can be set from outside, proven to make sense. */
export type Config = {
  /** TCP port to listen at. 4100 by default: free on most machines, and easy to keep in mind. */
  readonly port: number
  /** Address to listen at. This machine alone by default, so that nothing is open to a network unasked. */
  readonly host: string
  /** Absolute path of the folder with the database, files and keys; `./data` by default. */
  readonly dataFolder: string
  /** Absolute path of the folder with the built pages; another one shows pages that were built otherwise. */
  readonly webFolder: string
  /** The address people use. Decides the form of cookies, links in mails and the domain of passkeys. */
  readonly publicUrl: URL
  /** Addresses whose `X-Forwarded-*` is believed; none by default, as anybody can send those headers. */
  readonly trustedProxies: readonly string[]
  /** A PostgreSQL; without it records live in SQLite inside the data folder. */
  readonly databaseUrl: Secret | undefined
  /** An S3 store; without it files live in the data folder. */
  readonly s3: S3Settings | undefined
  /** The owner to make at the first start, for set-up without a person. */
  readonly owner: { readonly email: string; readonly password: string } | undefined
  /** Whether the sample workspace is loaded at the first start. By default the set-up page asks. */
  readonly sample: 'yes' | 'no' | 'ask'
  /** Where mails go; without it they wait on the outbox page for an owner to pass them on. */
  readonly mail: { readonly smtpUrl: Secret; readonly from: string } | undefined
  /** A list of leaked passwords that is asked by range; without it nobody is asked. */
  readonly passwordRangeUrl: URL | undefined
  readonly oidcProviders: readonly OidcProvider[]
  /** Bytes that stay free on the disk files are put together on: no upload begins that would take them. */
  readonly diskFloorBytes: number
  /** Whether the server fetches files from other addresses for people; not by default, as it then asks what they name. */
  readonly fetchesUploads: boolean
  /** Whether a backup is taken before tables are brought up to date; those who take their own of a large one may do without. */
  readonly backsUpBeforeUpgrade: boolean
  /** Where the session pages are, and which field of the user holds the scopes. */
  readonly session: SessionSettings
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Room for a database to go on and to be put in order, in MB. */
const DISK_FLOOR_MB = 200

/** Reads the configuration from the environment. Each setting that makes no sense gets one sentence that names it. */
export function readConfig(environment: Environment): Result<Config, string[]> {
  const faults: string[] = []
  const read = settingReaders(environment, faults)
  const port = read.wholeNumber('PORT', 1, 65_535) ?? 4100
  const config: Config = {
    port,
    host: read.matching('HOST', /^[\w.:-]+$/, 'a hostname or IP address, such as 0.0.0.0') ?? '127.0.0.1',
    dataFolder: resolve(read.text('DOSSIER_DATA') ?? 'data'),
    webFolder: resolve(read.text('DOSSIER_WEB_FOLDER') ?? join(PROJECT_ROOT, 'dist', 'web')),
    publicUrl: readPublicUrl(read, port),
    trustedProxies: read.addresses('DOSSIER_TRUSTED_PROXIES'),
    databaseUrl: readDatabaseUrl(read),
    s3: readS3(read),
    owner: readOwner(read),
    sample: read.choice('DOSSIER_SAMPLE', ['yes', 'no', 'ask']) ?? 'ask',
    mail: readMail(read),
    passwordRangeUrl: readPasswordRangeUrl(read),
    oidcProviders: readOidcProviders(read, environment),
    diskFloorBytes: (read.wholeNumber('UPLOAD_DISK_FLOOR', 0, 1_000_000_000) ?? DISK_FLOOR_MB) * 1_000_000,
    fetchesUploads: read.choice('UPLOAD_FETCH', ['on', 'off']) === 'on',
    backsUpBeforeUpgrade: read.choice('DOSSIER_BACKUP_BEFORE_UPGRADE', ['on', 'off']) !== 'off',
    session: readSessionSettings(read, environment),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
  return faults.length === 0 ? ok(config) : fail(faults)
}

function readPublicUrl(read: SettingReaders, port: number): URL {
  const url = read.url('DOSSIER_URL', ['http:', 'https:'])
  if (url && (url.pathname !== '/' || url.search || url.hash || url.username)) {
    read.refuse('DOSSIER_URL must contain only scheme, host and port. Dossier does not support running under a path.')
  }
  return url ?? new URL(`http://localhost:${port}`)
}

function readDatabaseUrl(read: SettingReaders): Secret | undefined {
  const url = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  if (url && url.pathname.length < 2) {
    read.refuse('DATABASE_URL has no database name. Use the format postgres://user:password@host:5432/name.')
  }
  return url && secret(url.href)
}

function readS3(read: SettingReaders): S3Settings | undefined {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const values = read.together(names, 'S3 storage needs all of these settings')
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:'])
  if (endpoint && (endpoint.pathname !== '/' || endpoint.search || endpoint.hash || endpoint.username)) {
    read.refuse('S3_ENDPOINT must contain only scheme, host and port. Set the bucket in S3_BUCKET.')
  }
  read.matching('S3_BUCKET', /^[\w.-]+$/, 'a bucket name')
  const prefix = read.matching(
    'S3_PREFIX',
    /^[\w.-]+(?:\/[\w.-]+)*\/?$/,
    'path segments separated by slashes, such as dossier/files',
  )
  if (!values || !endpoint) return undefined
  return {
    endpoint,
    bucket: values.S3_BUCKET,
    // The region most stores that are not Amazon's own answer to.
    region: read.text('S3_REGION') ?? 'us-east-1',
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: secret(values.S3_SECRET_ACCESS_KEY),
    prefix: prefix === undefined ? '' : prefix.replace(/\/?$/, '/'),
  }
}

const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/

function readOwner(read: SettingReaders): Config['owner'] {
  const names = ['DOSSIER_OWNER_EMAIL', 'DOSSIER_OWNER_PASSWORD'] as const
  const values = read.together(names, 'creating an owner requires both')
  read.matching('DOSSIER_OWNER_EMAIL', EMAIL, 'an email address')
  return values && { email: values.DOSSIER_OWNER_EMAIL, password: values.DOSSIER_OWNER_PASSWORD }
}

function readMail(read: SettingReaders): Config['mail'] {
  const values = read.together(['SMTP_URL', 'MAIL_FROM'], 'sending email requires both')
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  read.matching(
    'MAIL_FROM',
    /^(?:[^\s@<>]+@[^\s@<>]+|[^<>]+<[^\s@<>]+@[^\s@<>]+>)$/,
    'an address such as Dossier <dossier@example.org>',
  )
  return values && url && { smtpUrl: secret(url.href), from: values.MAIL_FROM }
}

function readPasswordRangeUrl(read: SettingReaders): URL | undefined {
  const url = read.safeUrl('PASSWORD_RANGE_URL')
  if (url && (url.search || url.hash || url.username)) {
    read.refuse(
      'PASSWORD_RANGE_URL must be a URL without query, fragment or credentials, such as https://passwords.example.org/range. The hash prefix is appended to it.',
    )
  }
  return url
}

const OIDC_SETTING = /^OIDC_([A-Z0-9]+)_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/

function readOidcProviders(read: SettingReaders, environment: Environment): OidcProvider[] {
  const settings = Object.keys(environment).filter((name) => name.startsWith('OIDC_') && read.text(name) !== undefined)
  for (const strange of settings.filter((name) => !OIDC_SETTING.test(name))) {
    read.refuse(
      `Unknown setting ${strange}. Supported: OIDC_<NAME>_ISSUER, OIDC_<NAME>_CLIENT_ID and OIDC_<NAME>_CLIENT_SECRET.`,
    )
  }
  const names = new Set(settings.flatMap((name) => OIDC_SETTING.exec(name)?.[1] ?? []))
  return [...names].flatMap((name) => readOidcProvider(read, name) ?? [])
}

function readOidcProvider(read: SettingReaders, name: string): OidcProvider | undefined {
  const [issuerName, idName, secretName] = [
    `OIDC_${name}_ISSUER`,
    `OIDC_${name}_CLIENT_ID`,
    `OIDC_${name}_CLIENT_SECRET`,
  ]
  const values = read.together([issuerName, idName, secretName], 'an identity provider requires all three')
  const issuer = read.safeUrl(issuerName)
  if (!values || !issuer) return undefined
  return {
    name: name.toLowerCase(),
    issuer,
    clientId: values[idName] ?? '',
    clientSecret: secret(values[secretName] ?? ''),
  }
}
