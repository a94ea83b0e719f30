// The API document as a caller's tools read it: operations with their references resolved, and their example requests.

export interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface DocumentedAnswer {
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example?: string | number | boolean;
}

interface RawOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

export interface Operation extends RawOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<
      Record<
        string,
        {
          readonly flows?: {
            readonly clientCredentials: {
              readonly tokenUrl: string;
              readonly scopes: Readonly<Record<string, string>>;
            };
          };
        }
      >
    >;
  };
}

/** Every operation, in the order of the document, with answers, headers and examples in place of their references. */
export function documentedOperations(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(resolved(document, operation) as RawOperation),
      parameters: operation.parameters ?? [],
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** What several operations refer to, which is most of the document, is resolved once. */
const resolvedTargets = new WeakMap<object, unknown>();

/** Schemas stay as they are: their references are the business of whoever compiles them. */
function resolved(document: ApiDocument, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one));
  if (value === null || typeof value !== 'object') return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const referred = target(document, value.$ref);
    const known = resolvedTargets.get(referred) ?? resolved(document, referred);
    resolvedTargets.set(referred, known);
    return known;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'schema' || name === 'value' ? member : resolved(document, member),
    ]),
  );
}

function target(document: ApiDocument, reference: string): object {
  let place: unknown = document;
  for (const name of reference.split('/').slice(1)) place = (place as Record<string, unknown>)[name];
  if (place === undefined) throw new Error(`The document has nothing at ${reference}.`);
  return place as object;
}

export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request that the examples of an operation make up, with the first content type of its body. */
export function exampleRequest(
  { method, path, parameters, requestBody, responses }: Operation,
  which: 'required' | 'all',
): ExampleRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept: acceptOf(responses) };
  let address = path;
  for (const parameter of parameters) {
    const { name, example } = parameter;
    if (example === undefined || (which === 'required' && !parameter.required)) continue;
    if (parameter.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(example));
    else if (parameter.in === 'header') headers[name] = String(example);
    else query.set(name, String(example));
  }
  const url = query.size === 0 ? address : `${address}?${query}`;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return { method, path: url, headers };
  const value = Object.values(media.examples ?? {})[0]?.value;
  const form = (): string => String(new URLSearchParams(value as never));
  const written = type.endsWith('json') ? JSON.stringify(value) : form();
  const body = typeof value === 'string' ? value : written;
  return { method, path: url, headers: { ...headers, 'content-type': type }, body };
}

function acceptOf(responses: Operation['responses']): string {
  const types = Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}));
  return types[0] ?? '*/*';
}
