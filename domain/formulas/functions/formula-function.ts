import { type Expression, type ExpressionType, type FormulaType, call, constant } from '../expression.ts'

/**
 * `time` is a date or a date and time; `any` is a value of any type; all arguments of type `same` have one type, and
 * those of type `outcome` another one; `word` is a constant text, such as a unit.
 */
export type ParameterType = FormulaType | 'any' | 'time' | 'same' | 'outcome' | 'word'

export type Parameter = {
  readonly name: string
  readonly type: ParameterType
  readonly isOptional?: boolean
  /** The last parameter can be given several times. */
  readonly isRepeated?: boolean
  /** Accepted texts with their normal form. */
  readonly words?: { readonly [written: string]: string }
  /** Rejects a text that isn't valid, such as a date format. */
  readonly checkWord?: (word: string) => string | undefined
}

export const FUNCTION_GROUPS = ['logic', 'number', 'text', 'date', 'record'] as const

export type FunctionGroup = (typeof FUNCTION_GROUPS)[number]

export type FormulaFunction = {
  readonly group: FunctionGroup
  readonly parameters: readonly Parameter[]
  /** `time`: the type of the first argument. */
  readonly result: FormulaType | 'same' | 'outcome' | 'time'
  /** One or two sentences, with the ruling where other tools contradict each other. */
  readonly help: string
  readonly examples: readonly (readonly [formula: string, result: string])[]
  /** Types that `same` accepts; absent: all. */
  readonly accepts?: readonly FormulaType[]
  /** Types of the arguments, if they depend on their number. */
  readonly typesOf?: (count: number) => readonly ParameterType[]
  readonly build: (args: readonly Expression[]) => Expression
}

type Details = Omit<FormulaFunction, 'group' | 'parameters' | 'result' | 'help' | 'build'> & {
  readonly build: FormulaFunction['build']
}

/** Defines a function from its signature, such as `left(text: text, count: number)`. */
export const defineFunction =
  (group: FunctionGroup) =>
  (
    parameters: readonly Parameter[],
    result: FormulaFunction['result'],
    help: string,
    { build, ...rest }: Details,
  ): FormulaFunction => ({ group, parameters, result, help, build, ...rest })

export const param = (name: string, type: ParameterType, more: Partial<Parameter> = {}): Parameter => ({
  name,
  type,
  ...more,
})

export const optional = (name: string, type: ParameterType, more: Partial<Parameter> = {}): Parameter =>
  param(name, type, { ...more, isOptional: true })

export const repeated = (name: string, type: ParameterType, isOptional = false): Parameter =>
  param(name, type, { isRepeated: true, isOptional })

export const at = (args: readonly Expression[], place: number): Expression => {
  const arg = args[place]
  if (!arg) throw new Error('The arguments of a function have been checked.')
  return arg
}

export const number = (value: number): Expression => constant('number', value)
export const text = (value: string): Expression => constant('text', value)

/** The local date and time of a date or date-time. */
export const wallOf = (value: Expression): Expression =>
  value.type === 'date' ? call('wall', 'wallOfDay', value) : call('wall', 'wallOfInstant', value)

/** The date or date-time of a local time. */
export const timeOfWall = (wall: Expression, type: ExpressionType): Expression =>
  type === 'date' ? call('date', 'dayOfWall', wall) : call('date-time', 'instantOfWall', wall)

export const isFilled = (value: Expression): Expression =>
  value.type === 'boolean' ? constant('boolean', true) : call('boolean', 'isFilled', value)

export const orElse = (value: Expression, other: Expression): Expression => call(value.type, 'fallback', value, other)

/** The text that `&` uses; empty values are empty texts. */
export function textOf(value: Expression): Expression {
  switch (value.type) {
    case 'text':
      return value
    case 'number':
      return call('text', 'numberText', value)
    case 'boolean':
      return call('text', 'booleanText', value)
    case 'date':
    case 'date-time':
    case 'wall':
      return call('text', 'timeText', value)
  }
}

export const not = (value: Expression): Expression => call('boolean', 'not', value)

/** `=`; an empty value isn't equal to anything. */
export const equal = (left: Expression, right: Expression): Expression => call('boolean', 'equal', left, right)

export const choose = (condition: Expression, one: Expression, other: Expression): Expression =>
  call(one.type, 'choose', condition, one, other)

/** Adds values from left to right; empty values count as zero. */
export const sumOf = (values: readonly Expression[]): Expression =>
  values.map((value) => orElse(value, number(0))).reduce((sum, value) => call('number', 'add', sum, value))
