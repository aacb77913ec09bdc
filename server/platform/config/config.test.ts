import { describe, expect, test } from 'vitest'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Environment } from './setting-readers.ts'

const configOf = (environment: Environment): Config => {
  const read = readConfig(environment)
  if (!read.ok) throw new Error(read.fault.join('\n'))
  return read.value
}

const faultsOf = (environment: Environment): string[] => {
  const read = readConfig(environment)
  return read.ok ? [] : read.fault
}

describe('an empty environment', () => {
  test('configures a server on the loopback address with SQLite and files in ./data', () => {
    expect(configOf({})).toMatchObject({
      port: 4100,
      host: '127.0.0.1',
      dataFolder: `${process.cwd()}/data`,
      webFolder: `${process.cwd()}/dist/web`,
      publicUrl: new URL('http://localhost:4100'),
      trustedProxies: [],
      corsOrigins: [],
      databaseUrl: undefined,
      s3: undefined,
      owner: undefined,
      sample: 'ask',
      mail: undefined,
      passwordRangeUrl: undefined,
      oidcProviders: [],
      logLevel: 'info',
    })
  })

  test('treats empty values as unset', () => {
    const names = ['PORT', 'HOST', 'DOSSIER_DATA', 'DOSSIER_URL', 'DATABASE_URL', 'S3_BUCKET', 'SMTP_URL', 'LOG_LEVEL']
    expect(configOf(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(configOf({}))
  })
})

describe('valid settings', () => {
  test('are applied, and the default public URL includes the port', () => {
    expect(configOf({ PORT: '8080' }).publicUrl.href).toBe('http://localhost:8080/')
    expect(configOf({ DOSSIER_URL: 'https://dossier.example.org' }).publicUrl.origin).toBe(
      'https://dossier.example.org',
    )
    expect(configOf({ DOSSIER_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual(['10.0.0.0/8', '::1'])
    expect(configOf({ DOSSIER_CORS_ORIGINS: 'https://a.example, http://localhost:3000' }).corsOrigins).toEqual([
      'https://a.example',
      'http://localhost:3000',
    ])
    expect(configOf({ DATABASE_URL: 'postgres://me:secret@db/records' }).databaseUrl?.reveal()).toContain('me:secret')
  })

  test('define identity providers whose names are part of the variable names', () => {
    const { oidcProviders } = configOf({
      OIDC_CORP_ISSUER: 'https://id.example.org',
      OIDC_CORP_CLIENT_ID: 'dossier',
      OIDC_CORP_CLIENT_SECRET: 'hush',
    })
    expect(oidcProviders).toMatchObject([{ name: 'corp', clientId: 'dossier' }])
  })
})

describe('invalid settings', () => {
  test.each<[Environment, string]>([
    [{ PORT: 'abc' }, 'PORT is "abc"; it must be a whole number from 1 to 65535.'],
    [{ PORT: '0' }, 'PORT is "0"; it must be a whole number from 1 to 65535.'],
    [{ HOST: 'http://here' }, 'HOST is "http://here"; it must be a hostname or IP address, such as 0.0.0.0.'],
    [{ DOSSIER_URL: 'dossier.example.org' }, 'DOSSIER_URL must be a URL that starts with http://… or https://….'],
    [{ DOSSIER_SAMPLE: 'maybe' }, 'DOSSIER_SAMPLE is "maybe"; it must be one of yes, no, ask.'],
    [{ DOSSIER_OWNER_EMAIL: 'me@example.org' }, 'Set DOSSIER_OWNER_PASSWORD as well: creating an owner requires both.'],
    [
      { DOSSIER_TRUSTED_PROXIES: 'proxy' },
      'DOSSIER_TRUSTED_PROXIES contains "proxy"; each entry must be an IP address or a range such as 10.0.0.0/8.',
    ],
    [
      { DOSSIER_CORS_ORIGINS: 'https://app.example.org/' },
      'DOSSIER_CORS_ORIGINS contains "https://app.example.org/"; each entry must be an origin such as https://app.example.org.',
    ],
    [
      { DATABASE_URL: 'mysql://root@db/x' },
      'DATABASE_URL must be a URL that starts with postgres://… or postgresql://….',
    ],
    [{ SMTP_URL: 'smtp://mail' }, 'Set MAIL_FROM as well: sending email requires both.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; it must be one of fatal, error, warn, info, debug, trace, silent.'],
  ])('are reported in one sentence: %o', (environment, sentence) => {
    expect(faultsOf(environment)).toEqual([sentence])
  })

  test('are all reported together', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'y', S3_BUCKET: 'z' })).toHaveLength(3)
  })

  test('list each missing setting of an identity provider', () => {
    expect(faultsOf({ OIDC_CORP_ISSUER: 'https://id.example.org' })).toEqual([
      'Set OIDC_CORP_CLIENT_ID and OIDC_CORP_CLIENT_SECRET as well: an identity provider requires all three.',
    ])
    expect(faultsOf({ OIDC_CORP: 'x' })).toEqual([
      expect.stringContaining(
        'Unknown setting OIDC_CORP. Supported: OIDC_<NAME>_ISSUER, OIDC_<NAME>_CLIENT_ID and OIDC_<NAME>_CLIENT_SECRET.',
      ),
    ])
  })

  test.each([
    ['passwords', /^PASSWORD_RANGE_URL must be a URL that starts with [^\n]*\.$/],
    ['http://passwords.example.org/range', /^PASSWORD_RANGE_URL must start with https:[^\n]*\.$/],
    [
      'https://passwords.example.org/range?mode=ntlm',
      /^PASSWORD_RANGE_URL must be a URL without query, fragment or credentials[^\n]*\.$/,
    ],
    [
      'https://me:hush@passwords.example.org/range',
      /^PASSWORD_RANGE_URL must be a URL without query, fragment or credentials(?!.*hush)[^\n]*\.$/,
    ],
  ])('rejects the leaked-password list at %s', (url, sentence) => {
    expect(faultsOf({ PASSWORD_RANGE_URL: url })).toEqual([expect.stringMatching(sentence)])
  })

  describe('identity provider', () => {
    const withIssuer = (issuer: string) =>
      faultsOf({ OIDC_CORP_ISSUER: issuer, OIDC_CORP_CLIENT_ID: 'dossier', OIDC_CORP_CLIENT_SECRET: 'hush' })

    test.each([
      'http://id.example.org',
      'http://10.0.0.7:8080/realms/corp',
      'http://localhost.example.org',
      'http://127.0.0.1.example.org',
      'http://user@id.example.org',
      'http://[::2]',
      'http://0.0.0.0',
    ])('rejects %s, because responses could be forged in transit', (issuer) => {
      expect(withIssuer(issuer)).toEqual([expect.stringMatching(/^OIDC_CORP_ISSUER must start with https:[^\n]*\.$/)])
    })

    test.each([
      'https://id.example.org',
      'http://localhost:8080',
      'http://id.localhost',
      'http://127.0.0.1:9',
      'http://127.1',
      'http://[::1]:9',
    ])('accepts %s', (issuer) => {
      expect(withIssuer(issuer)).toEqual([])
    })
  })
})

describe('secrets', () => {
  const environment = {
    DATABASE_URL: 'mysql://me:hush1@db/records',
    SMTP_URL: 'http://me:hush2@mail',
    S3_SECRET_ACCESS_KEY: 'hush3',
    DOSSIER_OWNER_PASSWORD: 'hush4',
    OIDC_CORP_CLIENT_SECRET: 'hush5',
  }

  test('secrets never appear in errors', () => {
    expect(faultsOf(environment).join('\n')).not.toContain('hush')
  })

  test('secrets are hidden when the configuration is printed', () => {
    const config = configOf({ DATABASE_URL: 'postgres://me:hush@db/records' })
    expect(JSON.stringify(config)).not.toContain('hush')
  })
})

describe('session routes and scope field', () => {
  test('default to the values in the specification', () => {
    expect(configOf({}).session).toEqual({
      routes: { login: '/login', home: '/', logout: '/logout', callback: '/callback' },
      scopeField: 'scope',
    })
  })

  test('can be changed individually', () => {
    const { session } = configOf({ DOSSIER_LOGIN_ROUTE: '/', DOSSIER_HOME_ROUTE: '/start/here' })
    expect(session.routes).toEqual({ login: '/', home: '/start/here', logout: '/logout', callback: '/callback' })
    expect(configOf({ DOSSIER_SCOPE_FIELD: 'profile.rights' }).session.scopeField).toBe('profile.rights')
  })

  test.each([
    'false',
    'https://elsewhere.example/',
    '//elsewhere',
    'enter',
    '/:any',
    '/a/',
    '/../x',
    '/Enter',
    '/a.js',
  ])('rejects the route %s', (DOSSIER_LOGIN_ROUTE) => {
    expect(faultsOf({ DOSSIER_LOGIN_ROUTE })).toEqual([
      `DOSSIER_LOGIN_ROUTE is "${DOSSIER_LOGIN_ROUTE}"; it must be a path of lowercase letters, digits, - and _, such as /enter.`,
    ])
  })

  test.each(['/api/start', '/settings', '/collections/books', '/assets', '/setup'])(
    'rejects the route %s, because another page uses it',
    (DOSSIER_HOME_ROUTE) => {
      expect(faultsOf({ DOSSIER_HOME_ROUTE })).toEqual([expect.stringContaining('DOSSIER_HOME_ROUTE')])
    },
  )

  test('rejects the same route for two pages', () => {
    expect(faultsOf({ DOSSIER_HOME_ROUTE: '/logout' })).toEqual([
      'DOSSIER_HOME_ROUTE and DOSSIER_LOGOUT_ROUTE are both "/logout". Use a different path for each.',
    ])
  })

  test.each(['two words', 'a..b', '1', 'email', 'roles.0', '__proto__'])('rejects the scope field %s', (field) => {
    expect(faultsOf({ DOSSIER_SCOPE_FIELD: field })).toEqual([expect.stringContaining('DOSSIER_SCOPE_FIELD')])
  })

  test('rejects setting names from earlier versions', () => {
    expect(faultsOf({ VITE_SESSION_SCOPE_FIELD: 'rights' })).toEqual([
      'VITE_SESSION_SCOPE_FIELD is no longer supported. Set DOSSIER_SCOPE_FIELD instead.',
    ])
    expect(faultsOf({ VITE_SESSION_ROUTES: '{}' })).toEqual([expect.stringContaining('DOSSIER_HOME_ROUTE')])
  })
})
